//! What can be wrong with a driver or GPU while the files are in order.

use berth_fake_nvml::state::{Faults, GpuFault, State};

use crate::node::{Node, NodeError};

/// One thing that goes wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// Of the GPU with this minor.
    Gpu(u32, GpuFault),
    /// NVML finds no driver, though its nodes are there.
    DriverNotLoaded,
    /// NVML and the driver are of two versions.
    VersionMismatch,
    /// Calls take so long, in milliseconds: the one named, or all.
    Slow(Option<String>, u64),
    /// A function answers this code of NVML.
    Code(String, u32),
    /// NVML lacks a function, as that of an older driver does.
    MissingSymbol(String),
}

/// Lets `fault` happen. Those that happened before stay.
///
/// # Errors
/// [`NodeError::NoGpu`] for a GPU that is not there.
pub fn fault(node: &mut Node, fault: &Fault) -> Result<(), NodeError> {
    if let Fault::MissingSymbol(function) = fault {
        return node.change(|machine| machine.lacking.extend([function.clone()]));
    }
    if let Fault::Gpu(minor, _) = fault
        && node.store().read()?.gpu(*minor).is_none()
    {
        return Err(NodeError::NoGpu(*minor));
    }
    node.edit(|state| set(state, fault))
}

fn set(state: &mut State, fault: &Fault) {
    match fault {
        Fault::Gpu(minor, fault) => {
            state.gpu_mut(*minor).into_iter().for_each(|(gpu, _)| gpu.fault = *fault);
        }
        Fault::DriverNotLoaded => state.faults.driver_not_loaded = true,
        Fault::VersionMismatch => state.faults.version_mismatch = true,
        Fault::Slow(None, milliseconds) => state.faults.slow_call_ms = *milliseconds,
        Fault::Slow(Some(function), milliseconds) => {
            state.faults.slow_functions.insert(function.clone(), *milliseconds);
        }
        Fault::Code(function, code) => drop(state.faults.functions.insert(function.clone(), *code)),
        Fault::MissingSymbol(_) => {}
    }
}

/// Mends all faults. A GPU that was pulled out stays out.
///
/// # Errors
/// [`NodeError`].
pub fn clear(node: &mut Node) -> Result<(), NodeError> {
    node.edit(|state| {
        state.faults = Faults::default();
        let broken = state.gpus.iter_mut().filter(|gpu| gpu.is_counted());
        broken.for_each(|gpu| gpu.fault = GpuFault::None);
    })?;
    node.change(|machine| machine.lacking.clear())
}
