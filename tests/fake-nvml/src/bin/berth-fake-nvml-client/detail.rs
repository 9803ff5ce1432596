//! Answers with several numbers: profiles, and what a MIG device has.

use std::{
    ffi::{c_char, c_uint},
    mem::zeroed,
    ptr,
};

use nvml_wrapper_sys::bindings::{
    nvmlBAR1Memory_t, nvmlDevice_t, nvmlDeviceAttributes_t, nvmlGpuInstanceProfileInfo_v2_t,
    nvmlGpuInstanceProfileInfo_v3_t,
};

use super::client::{Answer, Client, nvml, string};

/// The profile with a number, in the second or third form: id, memory, capabilities, name.
pub(crate) fn profile(client: &Client, gpu: c_uint, number: c_uint, form: c_uint) -> Answer {
    // SAFETY: a plain struct of C, for which zeros are a value.
    let mut info: nvmlGpuInstanceProfileInfo_v3_t = unsafe { zeroed() };
    let size = match form {
        2 => size_of::<nvmlGpuInstanceProfileInfo_v2_t>(),
        _ => size_of::<nvmlGpuInstanceProfileInfo_v3_t>(),
    };
    info.version = c_uint::try_from(size).unwrap_or(0) | form << 24;
    let place: *mut nvmlGpuInstanceProfileInfo_v2_t = (&raw mut info).cast();
    nvml!(client, nvmlDeviceGetGpuInstanceProfileInfoV(client.device(gpu)?, number, place))?;
    if form == 2 {
        // SAFETY: the library took the second form, and both are of one size or the third is larger.
        let info = unsafe { place.read() };
        return Ok(line(info.id, info.memorySizeMB, 0, &info.name));
    }
    Ok(line(info.id, info.memorySizeMB, info.capabilities, &info.name))
}

fn line(id: c_uint, memory: u64, capabilities: c_uint, name: &[c_char; 96]) -> String {
    format!("{id} {memory} {capabilities} {}", string(name))
}

/// Of a MIG device: multiprocessors, memory in MiB, slices of the GPU instance and its own, BAR1 in MiB.
pub(crate) fn attributes(client: &Client, gpu: c_uint, index: c_uint) -> Answer {
    let device = mig_device(client, gpu, index)?;
    // SAFETY: a plain struct of C, for which zeros are a value.
    let mut has: nvmlDeviceAttributes_t = unsafe { zeroed() };
    nvml!(client, nvmlDeviceGetAttributes_v2(device, &raw mut has))?;
    let mut window = nvmlBAR1Memory_t { bar1Total: 0, bar1Free: 0, bar1Used: 0 };
    nvml!(client, nvmlDeviceGetBAR1MemoryInfo(device, &raw mut window))?;
    let slices = format!("{} {}", has.gpuInstanceSliceCount, has.computeInstanceSliceCount);
    Ok(format!("{} {} {slices} {}", has.multiprocessorCount, has.memorySizeMB, window.bar1Total >> 20))
}

fn mig_device(client: &Client, gpu: c_uint, index: c_uint) -> Answer<nvmlDevice_t> {
    let mut device = ptr::null_mut();
    nvml!(client, nvmlDeviceGetMigDeviceHandleByIndex(client.device(gpu)?, index, &raw mut device))?;
    Ok(device)
}
