//! What was seen of a host: spec files, and the paths that they name.

use std::{collections::BTreeMap, path::PathBuf};

/// A folder of spec files; a later folder goes before an earlier one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folder {
    /// Its path on the host.
    pub path: PathBuf,
    /// Permission bits, if it exists.
    pub mode: Option<u32>,
    /// Owner, if it exists.
    pub uid: Option<u32>,
    /// All its entries that are no folders, by name; or why they cannot be told.
    pub files: Result<Vec<SpecFile>, String>,
}

/// A file in such a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpecFile {
    /// Its path on the host.
    pub path: PathBuf,
    /// Permission bits of what is read.
    pub mode: u32,
    /// Owner of what is read.
    pub uid: u32,
    /// What it holds; or why it cannot be read. Empty for a file that no runtime reads.
    pub content: Result<Vec<u8>, String>,
}

/// What stands at a host path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fact {
    /// Nothing.
    Missing,
    /// It could not be looked at, and why.
    Unknown(String),
    /// Something.
    Found(Found),
}

/// Something that exists, links followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Found {
    /// What it is.
    pub kind: FileKind,
    /// Permission bits.
    pub mode: u32,
    /// Owner.
    pub uid: u32,
}

/// What a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A character device, with its major and minor number.
    Char(u64, u64),
    /// A block device, with its major and minor number.
    Block(u64, u64),
    /// A pipe.
    Pipe,
    /// A socket.
    Socket,
}

/// Facts by host path.
pub type Facts = BTreeMap<String, Fact>;
