//! Reads spec files, and the facts of the paths that they name. Chooses nothing.

use std::{
    collections::BTreeSet,
    error::Error,
    fs::Metadata,
    os::unix::fs::{FileTypeExt, MetadataExt},
    path::Path,
};

use nix::sys::stat::{major, minor};

use super::observed::{Fact, Facts, FileKind, Folder, Found, SpecFile};
use crate::{
    root::{Kind, Root, RootError},
    spec::{Format, MAX_BYTES},
};

pub(super) fn folders(root: &Root, paths: &[&Path]) -> Vec<Folder> {
    paths.iter().map(|path| folder(root, path)).collect()
}

fn folder(root: &Root, path: &Path) -> Folder {
    let metadata = root.metadata(path).ok();
    let files = match root.read_dir(path) {
        Ok(entries) => Ok(entries
            .iter()
            .filter(|entry| entry.kind != Kind::Folder)
            .map(|entry| spec_file(root, &path.join(&entry.name)))
            .collect()),
        Err(error) if error.is_missing() => Ok(Vec::new()),
        Err(error) => Err(reason(&error)),
    };
    let mode = metadata.as_ref().map(|metadata| metadata.mode() & 0o7777);
    Folder { path: path.into(), mode, uid: metadata.map(|metadata| metadata.uid()), files }
}

/// The one file `path`, as if it were alone in its folder.
pub(super) fn file(root: &Root, path: &Path) -> Folder {
    let parent = path.parent().unwrap_or_else(|| Path::new("/"));
    Folder { path: parent.into(), mode: None, uid: None, files: Ok(vec![spec_file(root, path)]) }
}

fn spec_file(root: &Root, path: &Path) -> SpecFile {
    let metadata = root.metadata(path).ok();
    let regular = metadata.as_ref().is_none_or(Metadata::is_file);
    let content = match Format::of(path) {
        None => Ok(Vec::new()),
        Some(_) if !regular => Err("it is no regular file".into()),
        Some(_) => root.read(path, MAX_BYTES).map_err(|error| reason(&error)),
    };
    let (mode, uid) = metadata.map_or((0o644, 0), |metadata| (metadata.mode() & 0o7777, metadata.uid()));
    SpecFile { path: path.into(), mode, uid, content }
}

/// The deepest reason: the sentence about the path stands in the finding already.
fn reason(error: &RootError) -> String {
    error.source().map_or_else(|| error.to_string(), ToString::to_string).to_lowercase()
}

pub(super) fn facts(root: &Root, paths: &BTreeSet<String>) -> Facts {
    paths.iter().map(|path| (path.clone(), fact(root, Path::new(path)))).collect()
}

fn fact(root: &Root, path: &Path) -> Fact {
    match root.metadata(path) {
        Ok(metadata) => {
            Fact::Found(Found { kind: kind(&metadata), mode: metadata.mode() & 0o7777, uid: metadata.uid() })
        }
        Err(error) if error.is_missing() => Fact::Missing,
        Err(error) => Fact::Unknown(reason(&error)),
    }
}

fn kind(metadata: &Metadata) -> FileKind {
    let (kind, device) = (metadata.file_type(), metadata.rdev());
    if kind.is_char_device() {
        FileKind::Char(major(device), minor(device))
    } else if kind.is_block_device() {
        FileKind::Block(major(device), minor(device))
    } else if kind.is_dir() {
        FileKind::Folder
    } else if kind.is_fifo() {
        FileKind::Pipe
    } else if kind.is_socket() {
        FileKind::Socket
    } else {
        FileKind::File
    }
}
