//! What kind of distribution a container has.

use std::path::{Path, PathBuf};

use crate::hook::container::Container;

/// Of musl's loader and of Debian's folders for this processor.
#[cfg(target_arch = "x86_64")]
pub(super) const MUSL: &str = "x86_64";
#[cfg(target_arch = "x86_64")]
const DEBIAN: &str = "x86_64-linux-gnu";
#[cfg(target_arch = "aarch64")]
pub(super) const MUSL: &str = "aarch64";
#[cfg(target_arch = "aarch64")]
const DEBIAN: &str = "aarch64-linux-gnu";

/// Folders that the loader searches without being told, if they are there.
pub(super) fn folders(container: &Container) -> Vec<PathBuf> {
    let debian = [format!("/lib/{DEBIAN}"), format!("/usr/lib/{DEBIAN}")].map(PathBuf::from);
    let plain = ["/lib", "/usr/lib"].map(PathBuf::from);
    let wide = ["/lib64", "/usr/lib64"].map(PathBuf::from);
    // The folder alone says nothing: a host of the other kind has the driver's libraries mounted there.
    let is_debian = || debian.iter().any(|folder| container.has(&folder.join("libc.so.6")));
    // Debian's loader does not search lib64, which holds the loader itself alone; the others' does.
    if container.has(Path::new("/etc/debian_version")) || is_debian() {
        debian.into_iter().chain(plain).collect()
    } else {
        plain.into_iter().chain(wide).collect()
    }
}

/// Where musl's loader is, if the container has it.
pub(super) fn musl_loader() -> PathBuf {
    format!("/lib/ld-musl-{MUSL}.so.1").into()
}

/// Whether anything reads the cache: not in a container that has musl and nothing of glibc.
pub(super) fn has_glibc(container: &Container) -> bool {
    !container.has(&musl_loader())
        || ["/etc/ld.so.conf", "/etc/ld.so.cache"].iter().any(|path| container.has(Path::new(path)))
}
