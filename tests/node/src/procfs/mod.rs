//! The parts of /proc that speak of the NVIDIA driver, as data.

mod capabilities;
mod devices;
mod driver;

pub use self::devices::{KernelDevices, devices};
use crate::{layout::Layout, machine::Machine, tree::Tree};

/// `/proc/devices`, `/proc/driver/nvidia*`. `kernel` is the list of the machine that this runs on.
#[must_use]
pub fn procfs(machine: &Machine, kernel: &KernelDevices) -> Tree {
    let mut tree = Tree::new();
    tree.text("/proc/devices", devices(machine, kernel));
    tree.folder("/proc/driver");
    let none = matches!(machine.layout, Layout::Wsl | Layout::TegraOrin);
    let Some(version) = machine.kernel.as_ref().filter(|_| !none) else { return tree };
    tree.merge(driver::files(machine, version));
    tree.merge(capabilities::files(machine));
    tree
}
