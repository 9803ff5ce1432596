//! Replaces, removes and reads one file.

#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "this module changes the files that a caller decided on"
)]

use std::{
    fs::{self, DirBuilder, File},
    io::{self, Read},
    os::unix::fs::DirBuilderExt,
    path::{Path, PathBuf},
};

use super::temporary::Temporary;

/// What went wrong with which file.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The folder or disk refused; the file is as it was before.
    #[error("cannot write {path}, which stays as it was; check free space and permissions")]
    Write {
        /// The final path.
        path: PathBuf,
        /// The system's reason.
        #[source]
        source: io::Error,
    },
    /// Written, and perhaps lost when the power goes now.
    #[error("{path} is in place, but its folder cannot be synced to disk; check the disk")]
    Sync {
        /// The final path.
        path: PathBuf,
        /// The system's reason.
        #[source]
        source: io::Error,
    },
    /// A device, pipe, socket or folder stands there: it would be destroyed.
    #[error("{0} is no regular file and is not replaced; name a file, or leave the output out to print")]
    NotAFile(PathBuf),
    /// It could not be removed.
    #[error("cannot remove {path}; check permissions")]
    Remove {
        /// The path.
        path: PathBuf,
        /// The system's reason.
        #[source]
        source: io::Error,
    },
    /// It could not be read.
    #[error("cannot read {path}; check permissions")]
    Read {
        /// The path.
        path: PathBuf,
        /// The system's reason.
        #[source]
        source: io::Error,
    },
}

/// Replaces `path` by `bytes` at `mode`; missing folders are made, at mode 0755.
///
/// Guarantees: readers see the old file or the new one, whole and at its mode; when it returns the new one survives a
/// loss of power; killed at any point, it leaves the old file or the new one, and at most one temporary file, which
/// the next call takes over. Two writers of one file take turns. A symbolic link at `path` is replaced by the file,
/// not followed: where it led stays as it is.
///
/// # Errors
/// [`StoreError::Write`] and [`StoreError::NotAFile`] leave the old file and nothing else; [`StoreError::Sync`] leaves
/// the new one.
pub fn replace(path: &Path, bytes: &[u8], mode: u32) -> Result<(), StoreError> {
    let failed = |source| StoreError::Write { path: path.into(), source };
    let folder = folder_of(path);
    DirBuilder::new().recursive(true).mode(0o755).create(folder).map_err(failed)?;
    // A link such as /dev/stdout leads to what must not be lost, either.
    if fs::metadata(path).is_ok_and(|target| !target.is_file()) {
        return Err(StoreError::NotAFile(path.into()));
    }
    let temporary = Temporary::open(path).map_err(failed)?;
    temporary.place(path, bytes, mode).map_err(failed)?;
    sync(folder).map_err(|source| StoreError::Sync { path: path.into(), source })
}

/// Removes `path` and what a killed writer left beside it; both may be missing.
///
/// # Errors
/// [`StoreError::Remove`]; [`StoreError::Sync`] when it is removed, but perhaps back after a loss of power.
pub fn remove(path: &Path) -> Result<(), StoreError> {
    for path in [path, &Temporary::path_for(path)] {
        match fs::remove_file(path) {
            Err(source) if source.kind() != io::ErrorKind::NotFound => {
                return Err(StoreError::Remove { path: path.into(), source });
            }
            _ => {}
        }
    }
    match sync(folder_of(path)) {
        Err(source) if source.kind() != io::ErrorKind::NotFound => {
            Err(StoreError::Sync { path: path.into(), source })
        }
        _ => Ok(()),
    }
}

/// The content of `path`, of which at most `limit` bytes are read, or nothing where there is no file.
///
/// # Errors
/// [`StoreError::Read`].
pub fn read(path: &Path, limit: u64) -> Result<Option<Vec<u8>>, StoreError> {
    let mut bytes = Vec::new();
    let result = File::open(path).and_then(|file| file.take(limit).read_to_end(&mut bytes));
    match result {
        Ok(_) => Ok(Some(bytes)),
        Err(source) if source.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(source) => Err(StoreError::Read { path: path.into(), source }),
    }
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

fn sync(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}
