//! The calls that nvml-wrapper does not offer.

#![allow(unsafe_code, reason = "calls into NVML's C interface")]

use std::mem;

use nvml_wrapper::{Device, Nvml, error::NvmlError, error::nvml_try};
use nvml_wrapper_sys::bindings::{
    nvmlDevice_t, nvmlDeviceAddressingMode_v1_t,
    nvmlDeviceAddressingModeType_t_NVML_DEVICE_ADDRESSING_MODE_ATS as ATS, nvmlReturn_t,
};

/// A call that writes one number about a device.
type Number = unsafe extern "C" fn(nvmlDevice_t, *mut u32) -> nvmlReturn_t;

/// GPU instance id of a MIG device.
pub(super) fn gpu_instance(nvml: &Nvml, device: &Device<'_>) -> Result<u32, NvmlError> {
    number(nvml.lib().nvmlDeviceGetGpuInstanceId.as_ref().ok().copied(), device)
}

/// Compute instance id of a MIG device.
pub(super) fn compute_instance(nvml: &Nvml, device: &Device<'_>) -> Result<u32, NvmlError> {
    number(nvml.lib().nvmlDeviceGetComputeInstanceId.as_ref().ok().copied(), device)
}

fn number(call: Option<Number>, device: &Device<'_>) -> Result<u32, NvmlError> {
    let call = call.ok_or(NvmlError::FunctionNotFound)?;
    let handle = handle(device);
    let mut number = 0;
    // SAFETY: the symbol came from the loaded library, which `device` borrows, and so did the handle; the library
    // writes one unsigned int.
    let code = unsafe { call(handle, &raw mut number) };
    nvml_try(code).map(|()| number)
}

fn handle(device: &Device<'_>) -> nvmlDevice_t {
    // SAFETY: the handle is used in calls of the same library only, while `device` keeps that loaded.
    unsafe { device.handle() }
}

/// Whether memory is addressed through the processor's address translation.
pub(super) fn is_coherent(nvml: &Nvml, device: &Device<'_>) -> Result<bool, NvmlError> {
    let call = nvml.lib().nvmlDeviceGetAddressingMode.as_ref().ok().ok_or(NvmlError::FunctionNotFound)?;
    let mut mode =
        nvmlDeviceAddressingMode_v1_t { version: version_1::<nvmlDeviceAddressingMode_v1_t>(), value: 0 };
    let handle = handle(device);
    // SAFETY: as in `number`; the library writes a structure of the size that its version field tells.
    let code = unsafe { call(handle, &raw mut mode) };
    nvml_try(code).map(|()| mode.value == ATS)
}

/// NVML's version field: the size of the structure, and 1 in the top byte.
const fn version_1<T>() -> u32 {
    // A structure of NVML has far less than 2^24 bytes.
    #[expect(clippy::cast_possible_truncation, reason = "see above")]
    let size = size_of::<T>() as u32;
    size | 1 << 24
}

/// Ends the use of NVML, or leaves it loaded where the library has no call for that.
pub(super) fn shut_down(nvml: Nvml) {
    if nvml.lib().nvmlShutdown.is_err() {
        mem::forget(nvml);
    }
}
