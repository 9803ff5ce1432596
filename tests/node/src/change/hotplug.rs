//! GPUs that come and go while the node runs.

use berth_fake_nvml::state::{ConfigError, GpuFault, State};

use crate::{
    machine::{Gpu, Instance},
    node::{Node, NodeError},
    nvml,
};

/// Plugs `gpu` in: it appears on the bus and gets its nodes, then NVML counts it.
///
/// # Errors
/// [`NodeError`], for example if its slot is taken.
pub fn add(node: &mut Node, gpu: &Gpu) -> Result<(), NodeError> {
    // Refused before anything is done, and done again when the nodes are there.
    plug(&mut node.store().read()?, gpu)?;
    node.change(|machine| {
        machine.gpus.push(gpu.clone());
        machine.gpus.sort_by_key(|gpu| gpu.minor);
    })?;
    Ok(node.store().update(|state| plug(state, gpu))?)
}

/// A GPU that was pulled out leaves its slot to the new one.
fn plug(state: &mut State, gpu: &Gpu) -> Result<(), ConfigError> {
    state.gpus.retain(|known| known.minor != gpu.minor || known.is_counted());
    state.add(&nvml::gpu_config(gpu))
}

/// Pulls the GPU with this minor out: NVML counts it no longer, then its nodes and its place on the bus go.
///
/// # Errors
/// [`NodeError::NoGpu`].
pub fn remove(node: &mut Node, minor: u32) -> Result<(), NodeError> {
    if node.machine().gpus.iter().all(|gpu| gpu.minor != minor) {
        return Err(NodeError::NoGpu(minor));
    }
    node.edit(|state| state.gpu_mut(minor).into_iter().for_each(|(gpu, _)| gpu.fault = GpuFault::Removed))?;
    node.change(|machine| {
        machine.gpus.retain(|gpu| gpu.minor != minor);
        machine.instances.retain(|instance: &Instance| instance.gpu != minor);
    })
}
