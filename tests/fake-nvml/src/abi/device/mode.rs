//! Modes of a GPU: read by anyone, changed by root, seen by all processes.

use nvml_wrapper_sys::bindings as sys;

use crate::{
    abi::{
        Uint,
        code::{Answer, Code},
        handle::Device,
        pointer::{Out, version},
    },
    export,
    profiles::AddressingMode,
    state::{ComputeMode, VirtualizationMode},
};

export! {
    /// Whether the driver stays loaded without a client.
    fn nvmlDeviceGetPersistenceMode(device: Device, mode: Out<Uint>) = node => {
        mode.put(node.whole(device)?.gpu.persistence.into())
    };

    /// Turns persistence on or off.
    fn nvmlDeviceSetPersistenceMode(device: Device, mode: Uint) = node => {
        let (minor, on) = (node.whole(device)?.gpu.minor, switch(mode)?);
        node.set(minor, |gpu| gpu.persistence = on)
    };

    /// Who may run on the GPU.
    fn nvmlDeviceGetComputeMode(device: Device, mode: Out<Uint>) = node => {
        mode.put(match node.target(device)?.whole().gpu.compute_mode {
            ComputeMode::Default => sys::nvmlComputeMode_enum_NVML_COMPUTEMODE_DEFAULT,
            ComputeMode::Prohibited => sys::nvmlComputeMode_enum_NVML_COMPUTEMODE_PROHIBITED,
            ComputeMode::ExclusiveProcess => sys::nvmlComputeMode_enum_NVML_COMPUTEMODE_EXCLUSIVE_PROCESS,
        })
    };

    /// Sets who may run on the GPU; the exclusive mode of old (1) is no longer taken.
    fn nvmlDeviceSetComputeMode(device: Device, mode: Uint) = node => {
        let (minor, mode) = (node.whole(device)?.gpu.minor, compute_mode(mode)?);
        node.set(minor, |gpu| gpu.compute_mode = mode)
    };

    /// Error correction, now and after a reset.
    fn nvmlDeviceGetEccMode(device: Device, current: Out<Uint>, pending: Out<Uint>) = node => {
        let ecc = node.target(device)?.whole().gpu.ecc.ok_or(Code::NOT_SUPPORTED)?;
        current.put(ecc.current.into())?;
        pending.put(ecc.pending.into())
    };

    /// What error correction is without a wish of the user.
    fn nvmlDeviceGetDefaultEccMode(device: Device, mode: Out<Uint>) = node => {
        mode.put(node.whole(device)?.product.ecc.ok_or(Code::NOT_SUPPORTED)?.into())
    };

    /// Sets what error correction is after a reset.
    fn nvmlDeviceSetEccMode(device: Device, mode: Uint) = node => {
        let (minor, on) = (node.whole(device)?.gpu.minor, switch(mode)?);
        node.change(minor, |gpu, _| {
            gpu.ecc.as_mut().ok_or(Code::NOT_SUPPORTED)?.pending = on;
            Ok(())
        })
    };

    /// How the memory is addressed.
    fn nvmlDeviceGetAddressingMode(device: Device, mode: Out<sys::nvmlDeviceAddressingMode_t>) = node => {
        let form = version::<sys::nvmlDeviceAddressingMode_t>(1);
        mode.get_versioned(form)?;
        let value = match node.target(device)?.whole().gpu.addressing_mode.ok_or(Code::NOT_SUPPORTED)? {
            AddressingMode::None => sys::nvmlDeviceAddressingModeType_t_NVML_DEVICE_ADDRESSING_MODE_NONE,
            AddressingMode::Hmm => sys::nvmlDeviceAddressingModeType_t_NVML_DEVICE_ADDRESSING_MODE_HMM,
            AddressingMode::Ats => sys::nvmlDeviceAddressingModeType_t_NVML_DEVICE_ADDRESSING_MODE_ATS,
        };
        mode.put(sys::nvmlDeviceAddressingMode_t { version: form, value })
    };

    /// What the GPU is to virtual machines.
    fn nvmlDeviceGetVirtualizationMode(device: Device, mode: Out<Uint>) = node => {
        mode.put(match node.target(device)?.whole().gpu.virtualization {
            VirtualizationMode::None => sys::nvmlGpuVirtualizationMode_NVML_GPU_VIRTUALIZATION_MODE_NONE,
            VirtualizationMode::Passthrough => sys::nvmlGpuVirtualizationMode_NVML_GPU_VIRTUALIZATION_MODE_PASSTHROUGH,
            VirtualizationMode::Vgpu => sys::nvmlGpuVirtualizationMode_NVML_GPU_VIRTUALIZATION_MODE_VGPU,
            VirtualizationMode::HostVgpu => sys::nvmlGpuVirtualizationMode_NVML_GPU_VIRTUALIZATION_MODE_HOST_VGPU,
            VirtualizationMode::HostVsga => sys::nvmlGpuVirtualizationMode_NVML_GPU_VIRTUALIZATION_MODE_HOST_VSGA,
        })
    };

    /// Sets what the GPU is to virtual machines: the two kinds of host can be set, the rest is what a machine finds.
    fn nvmlDeviceSetVirtualizationMode(device: Device, mode: Uint) = node => {
        let minor = node.whole(device)?.gpu.minor;
        let mode = match mode {
            sys::nvmlGpuVirtualizationMode_NVML_GPU_VIRTUALIZATION_MODE_HOST_VGPU => VirtualizationMode::HostVgpu,
            sys::nvmlGpuVirtualizationMode_NVML_GPU_VIRTUALIZATION_MODE_HOST_VSGA => VirtualizationMode::HostVsga,
            _ => return Err(Code::INVALID_ARGUMENT),
        };
        node.set(minor, |gpu| gpu.virtualization = mode)
    };

    /// Whether a display hangs on the GPU.
    fn nvmlDeviceGetDisplayMode | nvmlDeviceGetDisplayActive(device: Device, mode: Out<Uint>) = node => {
        mode.put(node.whole(device)?.gpu.display.into())
    };
}

fn switch(mode: Uint) -> Answer<bool> {
    match mode {
        0 => Ok(false),
        1 => Ok(true),
        _ => Err(Code::INVALID_ARGUMENT),
    }
}

fn compute_mode(mode: Uint) -> Answer<ComputeMode> {
    match mode {
        sys::nvmlComputeMode_enum_NVML_COMPUTEMODE_DEFAULT => Ok(ComputeMode::Default),
        sys::nvmlComputeMode_enum_NVML_COMPUTEMODE_PROHIBITED => Ok(ComputeMode::Prohibited),
        sys::nvmlComputeMode_enum_NVML_COMPUTEMODE_EXCLUSIVE_PROCESS => Ok(ComputeMode::ExclusiveProcess),
        sys::nvmlComputeMode_enum_NVML_COMPUTEMODE_EXCLUSIVE_THREAD => Err(Code::NOT_SUPPORTED),
        _ => Err(Code::INVALID_ARGUMENT),
    }
}
