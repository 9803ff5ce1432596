//! What a driver tells of a GPU, without the GPU being any the worse for it.

use berth_fake_nvml::state::EventKind;

use crate::node::{Node, NodeError};

/// Tells `event` of the GPU with minor `gpu` to every process that waits for such events.
///
/// # Errors
/// [`NodeError::NoGpu`] for a GPU that is not there.
pub fn event(node: &Node, gpu: u32, event: EventKind) -> Result<(), NodeError> {
    known(node, gpu)?;
    node.edit(|state| state.raise(gpu, event))
}

/// Counts a memory error of the GPU with minor `gpu`, which the driver tells as well.
///
/// # Errors
/// [`NodeError::NoGpu`] for a GPU that is not there.
pub fn memory_error(node: &Node, gpu: u32, corrected: bool) -> Result<(), NodeError> {
    known(node, gpu)?;
    node.edit(|state| {
        if let Some((gpu, _)) = state.gpu_mut(gpu) {
            let counts = &mut gpu.telemetry.ecc_errors.dram;
            let counters = if corrected {
                [&mut counts.volatile_corrected, &mut counts.aggregate_corrected]
            } else {
                [&mut counts.volatile_uncorrected, &mut counts.aggregate_uncorrected]
            };
            counters.into_iter().for_each(|counter| *counter += 1);
        }
    })
}

fn known(node: &Node, gpu: u32) -> Result<(), NodeError> {
    let found = node.store().read()?.gpu(gpu).is_some();
    found.then_some(()).ok_or(NodeError::NoGpu(gpu))
}
