//! Kernel modules.

use crate::{layout::Layout, machine::Machine, tree::Tree};

/// The driver's modules, and where the kernel looks for firmware first.
pub(super) fn files(machine: &Machine) -> Tree {
    let mut tree = Tree::new();
    tree.text("/sys/module/firmware_class/parameters/path", "\n");
    let Some(version) = machine.kernel.as_ref().filter(|_| machine.layout != Layout::Wsl) else {
        return tree;
    };
    for name in ["nvidia", "nvidia_uvm", "nvidia_modeset", "nvidia_drm"] {
        tree.text(format!("/sys/module/{name}/version"), format!("{version}\n"));
        tree.text(format!("/sys/module/{name}/initstate"), "live\n");
        tree.text(format!("/sys/module/{name}/refcnt"), "0\n");
    }
    tree
}
