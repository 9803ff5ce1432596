//! What a host tree holds, as data: each path under the root, once, with what stands there.
//!
//! Nothing here touches a disk: a tree is planned, listed and compared here, and made by [`mod@write`].

mod difference;
mod entry;
mod listing;
pub mod write;

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

pub use self::{
    difference::{Difference, difference},
    entry::{Content, Device, Entry},
};

/// The entries of a host tree by path; paths are absolute as the host sees them (`/dev/null`).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tree {
    entries: BTreeMap<PathBuf, Entry>,
}

impl Tree {
    /// A tree without entries.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Puts `entry` at `path`, in place of what stood there.
    pub fn put(&mut self, path: impl Into<PathBuf>, entry: Entry) {
        self.entries.insert(path.into(), entry);
    }

    /// A folder, mode 0755.
    pub fn folder(&mut self, path: impl Into<PathBuf>) {
        self.put(path, Entry::Folder { mode: 0o755 });
    }

    /// A file with this text, mode 0644.
    pub fn text(&mut self, path: impl Into<PathBuf>, text: impl Into<String>) {
        self.put(path, Entry::file(text.into().into_bytes(), 0o644));
    }

    /// A symbolic link.
    pub fn link(&mut self, path: impl Into<PathBuf>, target: impl Into<PathBuf>) {
        self.put(path, Entry::Link { target: target.into() });
    }

    /// A character device node.
    pub fn device(&mut self, path: impl Into<PathBuf>, device: Device) {
        self.put(path, Entry::Device(device));
    }

    /// Adds all of `other`; at equal paths `other` wins.
    pub fn merge(&mut self, other: Self) {
        self.entries.extend(other.entries);
    }

    /// What stands at `path`, if anything was planned there.
    #[must_use]
    pub fn get(&self, path: &Path) -> Option<&Entry> {
        self.entries.get(path)
    }

    /// All entries, a folder before what is in it.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&Path, &Entry)> {
        self.entries.iter().map(|(path, entry)| (path.as_path(), entry))
    }

    /// The same tree with every path, and every absolute link, moved below `prefix`.
    ///
    /// Links are moved too, because a driver container's own links are read inside its root and from
    /// the host alike; only relative ones work for both, so absolute targets become the host's view.
    #[must_use]
    pub fn below(self, prefix: &Path) -> Self {
        let moved = |path: PathBuf| prefix.join(path.strip_prefix("/").map_or(path.as_path(), |rest| rest));
        Self { entries: self.entries.into_iter().map(|(path, entry)| (moved(path), entry)).collect() }
    }
}

impl IntoIterator for Tree {
    type Item = (PathBuf, Entry);
    type IntoIter = std::collections::btree_map::IntoIter<PathBuf, Entry>;

    fn into_iter(self) -> Self::IntoIter {
        self.entries.into_iter()
    }
}
