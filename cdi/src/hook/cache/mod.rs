//! The loader's cache of a container, written without `ldconfig`: no second process, and nothing of the image runs.
//!
//! What `ldconfig` would list is listed (elf/ldconfig.c of glibc 2.36): the folders of `/etc/ld.so.conf` and what it
//! includes, then the distribution's own ones, each library under its `DT_SONAME` and under the names of links to it.
//! Differences, all on purpose:
//! - links are made in the driver's folders alone; elsewhere an entry without its link names the library's file;
//! - the folders of `glibc-hwcaps` are listed, those of glibc before 2.33 (`tls`, `haswell`) are not;
//! - libraries that another processor needs, and names that the loader cannot compare, are left out silently;
//! - what cannot be read is passed over: the image's own loss.
//!
//! Two files with fixed names in `/etc/ld.so.conf.d` keep the result for an `ldconfig` that runs in the container.

mod choose;
mod conf;
mod folders;
mod glob;
mod musl;
mod scan;
mod system;

use std::{
    collections::BTreeSet,
    ffi::OsString,
    path::{Path, PathBuf},
};

use super::{
    container::{Container, ContainerError, FileId, Modes},
    log::Log,
};
use crate::ldcache::{self, Library};
use folders::Folder;

pub use conf::COMPAT_CONF;

const CACHE: &str = "/etc/ld.so.cache";
const CONF: &str = "/etc/ld.so.conf";
const INCLUDE_ALL: &[u8] = b"include /etc/ld.so.conf.d/*.conf\n";

/// Names the folder of the image's CUDA libraries before all others; `None` takes an earlier one back.
///
/// # Errors
/// [`ContainerError`] when the file cannot be written or removed.
pub fn name_compat(container: &Container, folder: Option<&Path>) -> Result<bool, ContainerError> {
    match folder {
        Some(folder) => put_conf(container, COMPAT_CONF, &[folder.into()]),
        None => container.remove(Path::new(COMPAT_CONF)).map(|()| false),
    }
}

/// Writes the cache anew, with the driver's `folders` in it. The links `kept` are not exchanged for others.
///
/// Returns whether anything changed.
///
/// # Errors
/// [`ContainerError`] when a file cannot be written, or the container's folders hold too much.
pub fn update(
    container: &Container,
    folders: &[PathBuf],
    kept: &[&Path],
    log: &mut Log,
) -> Result<bool, ContainerError> {
    let listed = folders::listed(container, folders, log);
    let new: Vec<PathBuf> =
        listed.iter().filter(|folder| folder.is_new()).map(|folder| folder.path.clone()).collect();
    let mut changed = musl::update(container, folders)?;
    if !system::has_glibc(container) {
        return Ok(changed);
    }
    if !container.has(Path::new(CONF)) {
        changed |= container.put_file(Path::new(CONF), INCLUDE_ALL, Modes::PLAIN)?;
    }
    changed |= put_conf(container, conf::DRIVER_CONF, &new)?;
    let kept = kept.iter().filter_map(|link| place(container, link)).collect();
    let bytes = ldcache::write(libraries(container, &listed, &kept, log)?);
    changed |= container.put_file(Path::new(CACHE), &bytes, Modes::PLAIN)?;
    Ok(changed)
}

/// A name in a folder, by whatever path the folder is reached.
type Place = (FileId, OsString);

fn place(container: &Container, link: &Path) -> Option<Place> {
    let (_, folder) = container.folder(link.parent()?).ok()?;
    Some((folder, link.file_name()?.into()))
}

fn libraries(
    container: &Container,
    listed: &[Folder],
    kept: &BTreeSet<Place>,
    log: &mut Log,
) -> Result<Vec<Library>, ContainerError> {
    let mut scan = scan::Scan::new(container);
    let mut libraries = Vec::new();
    for folder in listed {
        let seen = match scan.folder(&folder.path) {
            Ok(seen) => seen,
            Err(error @ ContainerError::TooMany { .. }) => return Err(error),
            Err(error) => {
                log.note(&error);
                continue;
            }
        };
        let mut chosen = choose::choose(folder, seen, kept);
        for link in std::mem::take(&mut chosen.links) {
            if let Err(error) = container.put_link(&link.path, &link.target) {
                log.note(&error);
                chosen.without(&link);
            }
        }
        libraries.append(&mut chosen.libraries);
    }
    Ok(libraries)
}

/// One folder a line; an empty list takes the file away.
fn put_conf(container: &Container, path: &str, folders: &[PathBuf]) -> Result<bool, ContainerError> {
    let path = Path::new(path);
    if folders.is_empty() {
        return container.remove(path).map(|()| false);
    }
    let lines: String = folders.iter().map(|folder| format!("{}\n", folder.display())).collect();
    container.put_file(path, lines.as_bytes(), Modes::PLAIN)
}
