//! One thing at one path.

use std::{collections::BTreeSet, path::PathBuf};

/// A character device node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Device {
    /// Driver's number.
    pub major: u32,
    /// Device's number within the driver.
    pub minor: u32,
    /// Permission bits.
    pub mode: u32,
    /// Owning group; the owner is root.
    pub group: u32,
}

impl Device {
    /// A node that everyone may read and write, as the NVIDIA driver makes them (0666, root:root).
    #[must_use]
    pub fn open_to_all(major: u32, minor: u32) -> Self {
        Self { major, minor, mode: 0o666, group: 0 }
    }
}

/// Where a file's bytes come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    /// These bytes.
    Bytes(Vec<u8>),
    /// The file at this path outside the tree: hard-linked, or copied across file systems.
    SameAs(PathBuf),
    /// A copy of the shared library at this path outside the tree. Never a hard link: the loader takes a
    /// file that it has loaded already, by whatever name, for the same library.
    Library {
        /// The library.
        library: PathBuf,
        /// Functions that nobody finds in the copy.
        lacking: BTreeSet<String>,
    },
}

/// What stands at a path of the tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Entry {
    /// A folder with these permission bits.
    Folder {
        /// Permission bits, sticky bit included.
        mode: u32,
    },
    /// A regular file.
    File {
        /// Its bytes.
        content: Content,
        /// Permission bits; of no effect on a hard-linked file, which keeps its own.
        mode: u32,
    },
    /// A symbolic link.
    Link {
        /// Its text, as readlink(2) gives it.
        target: PathBuf,
    },
    /// A character device node.
    Device(Device),
    /// A unix stream socket that nobody listens on any more.
    Socket,
}

impl Entry {
    /// A regular file with these bytes.
    #[must_use]
    pub fn file(bytes: Vec<u8>, mode: u32) -> Self {
        Self::File { content: Content::Bytes(bytes), mode }
    }
}
