//! Makes planned trees real below a root, and takes parts away again.
//!
//! Invariant: nothing outside the root is touched. Folders are made as needed, and a path's last
//! component is never followed.
#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "this module makes the files")]

use std::{
    collections::BTreeSet,
    fs::{self, File},
    io::{self, Write as _},
    os::unix::{
        fs::{MetadataExt, PermissionsExt, chown, symlink},
        net::UnixListener,
    },
    path::{Path, PathBuf},
};

use berth_fake_nvml::symbols::hide_symbols;
use nix::{
    errno::Errno,
    sys::stat::{Mode, SFlag, makedev, mknod},
};

use super::{Content, Device, Difference, Entry, Tree};

/// A tree that could not be made.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// mknod(2) was refused.
    #[error("cannot make the device node {0}; run as root with CAP_MKNOD, on a file system that allows it")]
    NoPrivilege(PathBuf),
    /// Any other refusal.
    #[error("cannot make {path}; check free space and permissions")]
    Refused {
        /// The path on disk.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// A path could not be removed.
    #[error("cannot remove {path}; check that nothing is mounted on it")]
    Remove {
        /// The path on disk.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
}

/// Makes all of `tree` below `root`; entries that stand there already are replaced.
///
/// # Errors
/// The first entry that could not be made; those before it stand.
pub fn write(root: &Path, tree: &Tree) -> Result<(), WriteError> {
    fs::create_dir_all(root).map_err(|source| WriteError::Refused { path: root.to_path_buf(), source })?;
    tree.iter().try_for_each(|(path, entry)| put(&on_disk(root, path), entry))
}

/// Takes the steps of `difference` below `root`: removals, then what is new.
///
/// # Errors
/// The first step that failed; those before it are done.
pub fn apply(root: &Path, difference: &Difference) -> Result<(), WriteError> {
    difference.gone.iter().try_for_each(|path| remove(&on_disk(root, path)))?;
    write(root, &difference.put)
}

/// Where an absolute path of the tree lies on disk.
#[must_use]
pub fn on_disk(root: &Path, path: &Path) -> PathBuf {
    root.join(path.strip_prefix("/").unwrap_or(path))
}

fn put(path: &Path, entry: &Entry) -> Result<(), WriteError> {
    make(path, entry).or_else(|error| make_room(path, error).and_then(|()| make(path, entry))).map_err(
        |source| match (entry, source.kind()) {
            (Entry::Device(_), io::ErrorKind::PermissionDenied) => {
                WriteError::NoPrivilege(path.to_path_buf())
            }
            _ => WriteError::Refused { path: path.to_path_buf(), source },
        },
    )
}

/// Mends what kept an entry from being made: no folder for it, or something in its place.
fn make_room(path: &Path, error: io::Error) -> io::Result<()> {
    if error.kind() == io::ErrorKind::NotFound {
        return path.parent().map_or(Ok(()), fs::create_dir_all);
    }
    if matches!(error.kind(), io::ErrorKind::AlreadyExists | io::ErrorKind::AddrInUse) {
        return fs::remove_file(path);
    }
    Err(error)
}

fn make(path: &Path, entry: &Entry) -> io::Result<()> {
    match entry {
        Entry::Folder { mode } => folder(path, *mode),
        Entry::File { content: Content::Bytes(bytes), mode } => file(path, bytes, *mode),
        Entry::File { content: Content::SameAs(source), .. } => same(path, source),
        Entry::File { content: Content::Library { library, lacking }, .. } => copy(path, library, lacking),
        Entry::Link { target } => symlink(target, path),
        Entry::Device(device) => node(path, *device),
        Entry::Socket => UnixListener::bind(path).map(drop),
    }
}

fn folder(path: &Path, mode: u32) -> io::Result<()> {
    fs::create_dir_all(path)?;
    if mode == 0o755 { Ok(()) } else { fs::set_permissions(path, fs::Permissions::from_mode(mode)) }
}

fn file(path: &Path, bytes: &[u8], mode: u32) -> io::Result<()> {
    // A file that is only ours is written in place, because somebody may have mounted or opened it; one
    // that shares its bytes with a package cache is not.
    let foreign = fs::symlink_metadata(path).is_ok_and(|found| !found.is_file() || found.nlink() > 1);
    if foreign {
        fs::remove_file(path)?;
    }
    // Not emptied first: whoever reads meanwhile finds lines of the old content or the new, as in /proc.
    let mut open = File::options().create(true).truncate(false).write(true).open(path)?;
    open.write_all(bytes)?;
    open.set_len(bytes.len() as u64)?;
    if mode == 0o644 { Ok(()) } else { fs::set_permissions(path, fs::Permissions::from_mode(mode)) }
}

fn same(path: &Path, source: &Path) -> io::Result<()> {
    match fs::hard_link(source, path) {
        Err(error) if error.kind() == io::ErrorKind::CrossesDevices => fs::copy(source, path).map(drop),
        other => other,
    }
}

/// A new file, because programs may have the old one loaded.
fn copy(path: &Path, library: &Path, lacking: &BTreeSet<String>) -> io::Result<()> {
    if fs::symlink_metadata(path).is_ok() {
        fs::remove_file(path)?;
    }
    if lacking.is_empty() {
        return fs::copy(library, path).map(drop);
    }
    let names: Vec<&str> = lacking.iter().map(String::as_str).collect();
    fs::write(path, hide_symbols(&fs::read(library)?, &names).map_err(io::Error::other)?)
}

fn node(path: &Path, device: Device) -> io::Result<()> {
    let numbers = makedev(device.major.into(), device.minor.into());
    mknod(path, SFlag::S_IFCHR, Mode::empty(), numbers)?;
    fs::set_permissions(path, fs::Permissions::from_mode(device.mode))?;
    if device.group == 0 { Ok(()) } else { chown(path, None, Some(device.group)) }
}

/// Removes one path; one that is not there, or a folder that others still use, is left.
fn remove(path: &Path) -> Result<(), WriteError> {
    let gone = match fs::symlink_metadata(path) {
        Ok(found) if found.is_dir() => fs::remove_dir(path),
        Ok(_) => fs::remove_file(path),
        Err(error) => Err(error),
    };
    match gone {
        Err(error) if !stays(&error) => Err(WriteError::Remove { path: path.to_path_buf(), source: error }),
        _ => Ok(()),
    }
}

fn stays(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::NotFound || error.raw_os_error() == Some(Errno::ENOTEMPTY as i32)
}

/// Removes `root` and all below it; links are removed, never followed.
///
/// # Errors
/// [`WriteError::Remove`].
pub fn remove_all(root: &Path) -> Result<(), WriteError> {
    fs::remove_dir_all(root).map_err(|source| WriteError::Remove { path: root.to_path_buf(), source })
}
