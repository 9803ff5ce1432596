//! Where the state of the node is that this library was loaded on.
#![expect(clippy::disallowed_methods, reason = "folders are looked for")]

use std::{
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
};

/// Names the directory outright, for tests.
pub const STATE_VARIABLE: &str = "BERTH_FAKE_NVML_STATE";

/// Below the root of a simulated node.
const IN_TREE: &str = ".berth-node/nvml";

/// On a machine that is a simulated node.
const ON_MACHINE: &str = "/run/berth-node/nvml";

/// The directory, in this order: what `variable` says; `.berth-node/nvml` in a folder above `library`, as it was
/// loaded or with its links followed; `/run/berth-node/nvml`.
#[must_use]
pub fn find(variable: Option<OsString>, library: Option<&Path>) -> PathBuf {
    if let Some(named) = variable.filter(|named| !named.is_empty()) {
        return named.into();
    }
    let as_loaded = library.and_then(above);
    let followed = || above(&fs::canonicalize(library?).ok()?);
    as_loaded.or_else(followed).unwrap_or_else(|| ON_MACHINE.into())
}

fn above(library: &Path) -> Option<PathBuf> {
    library.ancestors().map(|folder| folder.join(IN_TREE)).find(|directory| directory.is_dir())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_variable_then_the_tree_above_then_the_machine() {
        let root = tempfile::tempdir().expect("a root");
        let state = root.path().join(IN_TREE);
        fs::create_dir_all(&state).expect("a state");
        let library = root.path().join("usr/lib/libnvidia-ml.so.1");
        assert_eq!(find(Some("/x".into()), Some(&library)), Path::new("/x"));
        assert_eq!(find(None, Some(&library)), state);
        assert_eq!(find(Some("".into()), Some(Path::new("/usr/lib/x.so"))), Path::new(ON_MACHINE));
        assert_eq!(find(None, None), Path::new(ON_MACHINE));
    }

    #[test]
    fn a_link_to_the_library_leads_to_the_tree_of_the_library() {
        let (root, elsewhere) =
            (tempfile::tempdir().expect("a root"), tempfile::tempdir().expect("a folder"));
        let state = fs::canonicalize(root.path()).expect("a path").join(IN_TREE);
        fs::create_dir_all(&state).expect("a state");
        let (library, link) = (root.path().join("lib.so"), elsewhere.path().join("lib.so"));
        fs::write(&library, "").expect("a library");
        std::os::unix::fs::symlink(&library, &link).expect("a link");
        assert_eq!(find(None, Some(&link)), state);
    }
}
