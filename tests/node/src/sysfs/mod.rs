//! The parts of /sys that speak of GPUs and their driver, as data.
//!
//! Devices lie below `/sys/bus/pci/devices` itself, not behind links into `/sys/devices`, so that this
//! one folder can be laid over the kernel's.

mod module;
mod pci;

use crate::{layout::Layout, machine::Machine, tree::Tree};

/// /sys of the machine.
#[must_use]
pub fn sysfs(machine: &Machine) -> Tree {
    let mut tree = module::files(machine);
    if !matches!(machine.layout, Layout::Wsl | Layout::TegraOrin) {
        machine.gpus.iter().for_each(|gpu| tree.merge(pci::files(machine, gpu)));
    }
    tree
}
