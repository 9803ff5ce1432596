//! CUDA forward compatibility: whether an image's newer CUDA libraries go before the host driver's.
//!
//! The image's folder is only named to the loader; nothing of it is mounted, run or loaded. The driver's own
//! libraries stay in place, so that an image whose libraries say nonsense harms itself alone.

mod decide;
mod note;
mod version;

use std::{
    io,
    os::unix::{ffi::OsStrExt as _, fs::FileExt as _},
    path::PathBuf,
};

use super::{
    command::CompatRequest,
    container::{Container, ContainerError, Kind},
};
pub use decide::{Verdict, decide};
pub use note::Note;
pub use version::Version;

const LIBRARY: &[u8] = b"libcuda.so.";

/// What an image brings.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Candidate {
    /// From the library's file name, if it is a version.
    pub version: Option<Version>,
    /// What the library says itself.
    pub note: Option<Note>,
}

/// Looks for the one library `libcuda.so.*.*` of the folder; `None` when there is none, or several.
///
/// # Errors
/// [`ContainerError`] when the folder is there and cannot be read.
pub fn look(container: &Container, request: &CompatRequest) -> Result<Option<Candidate>, ContainerError> {
    let files = match container.list(&request.folder, is_driver_library) {
        Ok((files, _)) => files,
        Err(error) if error.is_missing() => return Ok(None),
        Err(error) => return Err(error),
    };
    let mut files = files.into_iter().filter(|file| file.kind == Kind::File);
    let (Some(file), None) = (files.next(), files.next()) else {
        return Ok(None);
    };
    let path: PathBuf = request.folder.join(&file.name);
    let (place, _) = container.regular(&path)?;
    let opened = container.reopen(&place, &path)?;
    let read_at = |buffer: &mut [u8], offset: u64| -> io::Result<usize> { opened.read_at(buffer, offset) };
    let version = file.name.as_bytes().strip_prefix(LIBRARY).and_then(|text| str::from_utf8(text).ok());
    Ok(Some(Candidate {
        version: version.and_then(|text| text.parse().ok()),
        // A library without a readable note is judged by its version, as one without any.
        note: note::read(read_at).ok().flatten(),
    }))
}

fn is_driver_library(name: &[u8]) -> bool {
    name.strip_prefix(LIBRARY).is_some_and(|rest| rest.contains(&b'.'))
}
