//! MIG, as an administrator changes it; and the reset of a GPU.

use crate::{
    node::{Node, NodeError},
    nvml::{self, MigChange},
};

/// Makes a change of the GPU with this minor in NVML's state, and then its capability nodes.
///
/// # Errors
/// [`NodeError::Mig`] if the GPU refuses; nothing has changed then.
pub fn mig(node: &mut Node, gpu: u32, change: &MigChange) -> Result<(), NodeError> {
    node.store().update(|state| nvml::change(state, gpu, change))?;
    node.sync()
}

/// Resets the GPU with this minor: pending modes come into force, MIG instances are gone.
///
/// # Errors
/// [`NodeError::NoGpu`].
pub fn reset(node: &mut Node, gpu: u32) -> Result<(), NodeError> {
    if node.store().read()?.gpu(gpu).is_none() {
        return Err(NodeError::NoGpu(gpu));
    }
    node.edit(|state| state.reset(gpu))?;
    node.sync()
}
