//! Whether the host has a driver at all.

use std::path::Path;

use crate::root::Root;

/// What is there as long as a driver of any kind of machine is loaded: NVIDIA's kernel module, WSL's, Tegra's.
const SIGNS: [&str; 5] =
    ["/proc/driver/nvidia/version", "/sys/module/nvidia", "/dev/dxg", "/dev/nvhost-ctrl-gpu", "/dev/nvgpu"];

/// Whether a driver is loaded on the host at `root`.
///
/// After an unload the nodes in `/dev` stay, so those of NVIDIA's module are no sign.
#[must_use]
pub fn driver_is_loaded(root: &Root) -> bool {
    SIGNS.iter().any(|sign| root.metadata(Path::new(sign)).is_ok())
}

#[cfg(test)]
mod tests {
    #![expect(clippy::disallowed_methods, reason = "a temporary folder is the host")]

    use std::fs;

    use super::*;

    #[test]
    fn a_module_counts_and_nodes_that_it_left_do_not() {
        let tree = tempfile::tempdir().expect("a folder");
        let root = Root::new(tree.path()).expect("a root");
        fs::create_dir_all(tree.path().join("dev")).expect("a folder");
        fs::write(tree.path().join("dev/nvidiactl"), "").expect("a node");
        assert!(!driver_is_loaded(&root));
        fs::create_dir_all(tree.path().join("sys/module/nvidia")).expect("a module");
        assert!(driver_is_loaded(&root));
    }
}
