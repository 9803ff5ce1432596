//! Files and folders that stations and images are put together from.
#![expect(clippy::disallowed_methods, reason = "makes real files")]

use std::{
    fs, io,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
};

/// A file that could not be made.
#[derive(Debug, thiserror::Error)]
#[error("cannot make {path}; check free space and permissions")]
pub struct FilesError {
    path: PathBuf,
    source: io::Error,
}

fn failed(path: &Path) -> impl FnOnce(io::Error) -> FilesError {
    let path = path.to_path_buf();
    move |source| FilesError { path, source }
}

/// Makes a folder and those above it.
///
/// # Errors
/// [`FilesError`].
pub fn folder(path: &Path) -> Result<(), FilesError> {
    fs::create_dir_all(path).map_err(failed(path))
}

/// Writes a file, with the folders above it.
///
/// # Errors
/// [`FilesError`].
pub fn text(path: &Path, text: &str) -> Result<(), FilesError> {
    folder(path.parent().unwrap_or(path))?;
    fs::write(path, text).map_err(failed(path))
}

/// Makes a link, with the folders above it; one that stands there is replaced.
///
/// # Errors
/// [`FilesError`].
pub fn link(path: &Path, target: &Path) -> Result<(), FilesError> {
    folder(path.parent().unwrap_or(path))?;
    drop(fs::remove_file(path));
    symlink(target, path).map_err(failed(path))
}

/// Copies a file with its mode, with the folders above it: as a second name of the same file where the file
/// system can.
///
/// # Errors
/// [`FilesError`].
pub fn same(from: &Path, to: &Path) -> Result<(), FilesError> {
    folder(to.parent().unwrap_or(to))?;
    drop(fs::remove_file(to));
    fs::hard_link(from, to).or_else(|_across| fs::copy(from, to).map(drop)).map_err(failed(to))
}

/// Copies a file's content, with the folders above it: changing the copy leaves the original as it is.
///
/// # Errors
/// [`FilesError`].
pub fn copy(from: &Path, to: &Path) -> Result<(), FilesError> {
    folder(to.parent().unwrap_or(to))?;
    drop(fs::remove_file(to));
    fs::copy(from, to).map(drop).map_err(failed(to))
}

/// Everything below `from`, also below `to`; what stands there is replaced file by file.
///
/// # Errors
/// [`FilesError`].
pub fn merge(from: &Path, to: &Path) -> Result<(), FilesError> {
    folder(to)?;
    for entry in fs::read_dir(from).map_err(failed(from))? {
        let entry = entry.map_err(failed(from))?;
        let (path, place) = (entry.path(), to.join(entry.file_name()));
        let kind = entry.file_type().map_err(failed(&path))?;
        if kind.is_dir() {
            merge(&path, &place)?;
        } else if kind.is_symlink() {
            link(&place, &fs::read_link(&path).map_err(failed(&path))?)?;
        } else {
            same(&path, &place)?;
        }
    }
    Ok(())
}
