//! On and off.

use nvml_wrapper_sys::bindings::{self as sys, nvmlReturn_t};

use crate::{
    abi::{
        Uint,
        code::{Answer, Code},
        handle::Device,
        pointer::Out,
    },
    export,
    mig::{self, Change},
    state::{Gpu, GpuFault},
};

export! {
    /// The mode now, and after a reset.
    fn nvmlDeviceGetMigMode(device: Device, current: Out<Uint>, pending: Out<Uint>) = node => {
        let whole = node.target(device)?.whole();
        whole.layout()?;
        current.put(whole.gpu.mig.enabled.into())?;
        pending.put(whole.gpu.mig.pending.into())
    };

    /// Changes the mode; `activation` tells whether it is in force or waits for a reset.
    fn nvmlDeviceSetMigMode(device: Device, mode: Uint, activation: Out<nvmlReturn_t>) = node => {
        let minor = node.whole(device)?.gpu.minor;
        let on = match mode {
            sys::NVML_DEVICE_MIG_DISABLE => false,
            sys::NVML_DEVICE_MIG_ENABLE => true,
            _ => return Err(Code::INVALID_ARGUMENT),
        };
        activation.put(sys::nvmlReturn_enum_NVML_SUCCESS)?;
        let change = node.change(minor, |gpu, product| {
            needs_no_reset(gpu)?;
            Ok(mig::set_mode(product.mig.as_ref(), &mut gpu.mig, on, &gpu.processes)?)
        })?;
        match change {
            Change::Active => Ok(()),
            Change::WaitsForReset => activation.put(Code::RESET_REQUIRED.0),
        }
    };

    /// Most MIG devices at a time; 0 without MIG.
    fn nvmlDeviceGetMaxMigDeviceCount(device: Device, count: Out<Uint>) = node => {
        count.put(node.whole(device)?.product.mig.as_ref().map_or(0, |layout| layout.max_devices))
    };
}

/// A GPU that waits for a reset takes no change of its parts.
pub(super) fn needs_no_reset(gpu: &Gpu) -> Answer {
    if gpu.fault == GpuFault::ResetRequired { Err(Code::RESET_REQUIRED) } else { Ok(()) }
}
