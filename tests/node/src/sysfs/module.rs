//! Kernel modules.

use crate::{layout::Layout, machine::Machine, tree::Tree};

/// The driver's modules, and where the kernel looks for firmware first.
pub(super) fn files(machine: &Machine) -> Tree {
    let mut tree = Tree::new();
    tree.text("/sys/module/firmware_class/parameters/path", format!("{}\n", firmware(machine.layout)));
    let none = matches!(machine.layout, Layout::Wsl | Layout::TegraOrin);
    let Some(version) = machine.kernel.as_ref().filter(|_| !none) else { return tree };
    for name in ["nvidia", "nvidia_uvm", "nvidia_modeset", "nvidia_drm"] {
        tree.text(format!("/sys/module/{name}/version"), format!("{version}\n"));
        tree.text(format!("/sys/module/{name}/initstate"), "live\n");
        tree.text(format!("/sys/module/{name}/refcnt"), "0\n");
    }
    tree
}

/// A driver container tells the kernel to look for firmware inside it.
fn firmware(layout: Layout) -> &'static str {
    if layout == Layout::DriverContainer { "/run/nvidia/driver/lib/firmware" } else { "" }
}
