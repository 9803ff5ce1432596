//! What must be done to a tree on disk so that it becomes another.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

use super::{Entry, Tree};

/// Steps that turn one tree into another; removals first, deepest path first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Difference {
    /// Paths that go.
    pub gone: Vec<PathBuf>,
    /// Entries that are new or changed.
    pub put: Tree,
}

/// The steps from `old` to `new`. An entry that is the same in both is not touched, so that its
/// inode, and whoever watches or holds it, stays.
#[must_use]
pub fn difference(old: &Tree, new: &Tree) -> Difference {
    let (before, after) = (folders(old), folders(new));
    let entries = old.iter().filter(|(path, _)| new.get(path).is_none() && !after.contains(path));
    let gone: BTreeSet<&Path> =
        entries.map(|(path, _)| path).chain(before.difference(&after).copied()).collect();
    let put = new.iter().filter(|(path, entry)| old.get(path) != Some(*entry));
    Difference {
        gone: gone.into_iter().rev().map(Path::to_path_buf).collect(),
        put: Tree {
            entries: put.map(|(path, entry): (_, &Entry)| (path.to_path_buf(), entry.clone())).collect(),
        },
    }
}

/// The folders that the entries of `tree` lie in, listed or not.
fn folders(tree: &Tree) -> BTreeSet<&Path> {
    tree.iter().flat_map(|(path, _)| path.ancestors().skip(1)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_differs_is_touched_and_folders_go_after_their_content() {
        let mut old = Tree::new();
        old.folder("/a");
        old.text("/a/b/c", "1");
        old.text("/same", "x");
        let mut new = Tree::new();
        new.text("/same", "x");
        new.text("/d", "2");
        let steps = difference(&old, &new);
        assert_eq!(steps.gone, ["/a/b/c", "/a/b", "/a"].map(PathBuf::from));
        assert_eq!(steps.put.to_string(), "/d\n");
        assert_eq!(difference(&new, &new), Difference::default());
    }
}
