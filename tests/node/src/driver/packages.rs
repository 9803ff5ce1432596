//! The driver's files of the distribution's packages, unpacked beside the system.
#![expect(clippy::disallowed_methods, reason = "lists an unpacked package tree")]

use std::{
    fs, io,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use super::file::{DriverFile, DriverFileKind};
use crate::{
    machine::DriverVersion,
    tree::{Content, Entry},
};

/// A package tree that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum PackagesError {
    /// A folder could not be listed.
    #[error("cannot list {path}; remove the cache folder and fetch the packages again")]
    List {
        /// The folder.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// No `libcuda.so.<version>` in it.
    #[error("{0} holds no libcuda.so of a driver; remove it and fetch the packages again")]
    NoDriver(PathBuf),
}

/// The driver's files below `unpacked`, hard links to be, in the order of their paths.
///
/// # Errors
/// [`PackagesError::List`].
pub fn files(unpacked: &Path) -> Result<Vec<DriverFile>, PackagesError> {
    let mut found = Vec::new();
    walk(unpacked, unpacked, &mut found)?;
    found.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(found)
}

/// The version of the driver among `files`: what follows `libcuda.so.` in a regular file's name.
///
/// # Errors
/// [`PackagesError::NoDriver`] with `unpacked` in it.
pub fn version(files: &[DriverFile], unpacked: &Path) -> Result<DriverVersion, PackagesError> {
    let names = files.iter().filter_map(|file| file.path.file_name()?.to_str()?.strip_prefix("libcuda.so."));
    let found = names.filter_map(|suffix| suffix.parse().ok()).max();
    found.ok_or_else(|| PackagesError::NoDriver(unpacked.to_path_buf()))
}

fn walk(top: &Path, folder: &Path, found: &mut Vec<DriverFile>) -> Result<(), PackagesError> {
    let failed = |source| PackagesError::List { path: folder.to_path_buf(), source };
    for entry in fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let kind = entry.file_type().map_err(failed)?;
        if kind.is_dir() {
            walk(top, &entry.path(), found)?;
        } else {
            let link = kind.is_symlink().then(|| fs::read_link(entry.path())).transpose().map_err(failed)?;
            let run = entry.metadata().is_ok_and(|found| found.permissions().mode() & 0o111 != 0);
            found.extend(file(top, &entry.path(), link, run));
        }
    }
    Ok(())
}

/// Folders of packages with nothing that the driver needs.
const UNWANTED: [&str; 7] = [
    "/etc/init.d",
    "/usr/lib/systemd",
    "/usr/share/bug",
    "/usr/share/doc",
    "/usr/share/initramfs-tools",
    "/usr/share/lintian",
    "/usr/share/man",
];

/// What a packaged file is for the driver; documentation and package tools' files are left out.
fn file(top: &Path, path: &Path, link: Option<PathBuf>, run: bool) -> Option<DriverFile> {
    let place = host_path(path.strip_prefix(top).ok()?);
    let name = place.file_name()?.to_str()?.to_owned();
    let unwanted = UNWANTED.iter().any(|folder| place.starts_with(folder));
    if unwanted || name.ends_with(".1.gz") || name.ends_with(".dll") {
        return None;
    }
    let kind = match () {
        () if name.contains(".so") => DriverFileKind::Library,
        () if run && link.is_none() => DriverFileKind::Program,
        () => DriverFileKind::Data,
    };
    let mode = if run { 0o755 } else { 0o644 };
    let same = || Entry::File { content: Content::SameAs(path.to_path_buf()), mode };
    let entry = link.map_or_else(same, |target| Entry::Link { target });
    Some(DriverFile { path: place, kind, entry })
}

/// Older packages put files into /lib, which is a link to /usr/lib on the node.
fn host_path(path: &Path) -> PathBuf {
    let merged = ["lib", "bin", "sbin"].iter().any(|top| path.starts_with(top));
    Path::new(if merged { "/usr" } else { "/" }).join(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documentation_is_left_out_and_lib_is_merged_into_usr() {
        let top = Path::new("/cache");
        let kept = |path: &str| file(top, &top.join(path), None, false).map(|file| file.path);
        assert_eq!(kept("usr/share/doc/libcuda1/copyright"), None);
        assert_eq!(
            kept("lib/firmware/nvidia/1.2/gsp.bin"),
            Some("/usr/lib/firmware/nvidia/1.2/gsp.bin".into())
        );
    }
}
