//! Loading and unloading the kernel's driver.

use std::collections::BTreeSet;

use crate::{
    node::{Node, NodeError},
    nvml,
};

/// Unloads the driver: NVML stops answering, then the nodes vanish. MIG instances do not survive it.
///
/// # Errors
/// [`NodeError`].
pub fn unload(node: &mut Node) -> Result<(), NodeError> {
    node.edit(|state| {
        state.faults.driver_not_loaded = true;
        state.gpus.iter_mut().for_each(berth_fake_nvml::state::Gpu::reset);
    })?;
    node.change(|machine| {
        machine.kernel = None;
        machine.instances = BTreeSet::new();
    })
}

/// Loads the driver that the links on disk lead to: nodes appear, then NVML answers. `uvm` is the number
/// that the kernel gives nvidia-uvm this time; `None` for the same as before.
///
/// # Errors
/// [`NodeError`].
pub fn load(node: &mut Node, uvm: Option<u32>) -> Result<(), NodeError> {
    node.change(|machine| {
        machine.kernel = Some(machine.userland.clone());
        machine.majors.uvm = uvm.unwrap_or(machine.majors.uvm);
    })?;
    let version = node.machine().userland.clone();
    node.edit(|state| {
        state.driver.version = version.to_string();
        let (major, minor) = nvml::cuda(&version);
        state.driver.cuda = i32::from(major) * 1000 + i32::from(minor) * 10;
        state.faults.driver_not_loaded = false;
        state.faults.version_mismatch = false;
    })
}

/// Unloads the driver and loads it again.
///
/// # Errors
/// [`NodeError`].
pub fn reload(node: &mut Node, uvm: Option<u32>) -> Result<(), NodeError> {
    unload(node)?;
    load(node, uvm)
}
