//! What a folder holds.

use std::{
    ffi::{OsStr, OsString},
    io,
    os::{fd::OwnedFd, unix::ffi::OsStrExt as _},
};

use nix::dir::{Dir, Type};

/// One name in a folder.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry {
    /// As the file system has it; need not be UTF-8.
    pub name: OsString,
    /// What the name is, links not followed.
    pub kind: Kind,
}

/// What a name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A symbolic link.
    Link,
    /// A character device.
    CharacterDevice,
    /// A socket, pipe or block device, or a file system that does not tell.
    Other,
}

/// The entries of `folder` that `wanted` takes, sorted, without `.` and `..`.
pub(super) fn list(folder: OwnedFd, wanted: impl Fn(&[u8]) -> bool) -> io::Result<Vec<Entry>> {
    let mut entries = Vec::new();
    for found in Dir::from_fd(folder)?.iter() {
        let found = found?;
        let name = found.file_name().to_bytes();
        if !matches!(name, b"." | b"..") && wanted(name) {
            entries.push(Entry { name: OsStr::from_bytes(name).into(), kind: kind(found.file_type()) });
        }
    }
    entries.sort_unstable();
    Ok(entries)
}

fn kind(told: Option<Type>) -> Kind {
    match told {
        Some(Type::File) => Kind::File,
        Some(Type::Directory) => Kind::Folder,
        Some(Type::Symlink) => Kind::Link,
        Some(Type::CharacterDevice) => Kind::CharacterDevice,
        Some(Type::BlockDevice | Type::Fifo | Type::Socket) | None => Kind::Other,
    }
}
