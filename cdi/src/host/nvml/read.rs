//! From NVML's answers to the inventory.

use std::fmt::Display;

use berth_allocator::inventory::{Coherence, Faulty, Gpu, MigDevice, MigMode};
use nvml_wrapper::{Device, Nvml, cuda_driver_version_major, cuda_driver_version_minor, error::NvmlError};

use super::{super::snapshot::LeftOut, Answer, raw, reason};

/// Why one GPU or MIG device cannot be described.
type Reason = String;

/// `NVML_DEVICE_MIG_ENABLE`.
const MIG_ENABLED: u32 = 1;

/// Everything about all GPUs.
pub(super) fn all(nvml: &Nvml) -> Result<Answer, NvmlError> {
    let mut answer = Answer {
        driver_version: nvml.sys_driver_version().ok(),
        cuda_version: nvml.sys_cuda_driver_version().ok().map(cuda_version),
        ..Answer::default()
    };
    for index in 0..nvml.device_count()? {
        match gpu(nvml, index, &mut answer.left_out) {
            Ok(gpu) => answer.inventory.gpus.push(gpu),
            Err(reason) => answer.inventory.faulty.push(Faulty { index, reason }),
        }
    }
    Ok(answer)
}

fn cuda_version(number: i32) -> String {
    format!("{}.{}", cuda_driver_version_major(number), cuda_driver_version_minor(number))
}

fn gpu(nvml: &Nvml, index: u32, left_out: &mut Vec<LeftOut>) -> Result<Gpu, Reason> {
    let device = nvml.device_by_index(index).map_err(|code| reason::sentence(&code))?;
    let told = |code: NvmlError| reason::sentence(&code);
    let mut gpu = Gpu {
        index,
        minor: device.minor_number().map_err(told)?,
        uuid: device.uuid().map_err(told)?.parse().map_err(text)?,
        name: device.name().unwrap_or_default(),
        pci: device.pci_info().map_err(told)?.bus_id.parse().map_err(text)?,
        mig_mode: mig_mode(&device).map_err(told)?,
        mig_devices: Vec::new(),
        coherence: coherence(nvml, &device),
        drm_nodes: Vec::new(),
    };
    if gpu.mig_mode == MigMode::Enabled {
        gpu.mig_devices = mig_devices(nvml, &device, index, left_out);
    }
    Ok(gpu)
}

fn text(error: impl Display) -> Reason {
    format!("the driver gives an answer of another form: {error}")
}

fn mig_mode(device: &Device<'_>) -> Result<MigMode, NvmlError> {
    match device.mig_mode() {
        Ok(mode) if mode.current == MIG_ENABLED => Ok(MigMode::Enabled),
        Ok(_) => Ok(MigMode::Disabled),
        Err(code) if is_unknown(&code) => Ok(MigMode::Unsupported),
        Err(code) => Err(code),
    }
}

/// Whether GPU or driver lack the thing that was asked for, rather than being in trouble.
fn is_unknown(code: &NvmlError) -> bool {
    matches!(code, NvmlError::NotSupported | NvmlError::FunctionNotFound | NvmlError::FailedToLoadSymbol(_))
}

fn coherence(nvml: &Nvml, device: &Device<'_>) -> Coherence {
    match raw::is_coherent(nvml, device) {
        Ok(true) => Coherence::Coherent,
        Ok(false) => Coherence::NonCoherent,
        Err(_) => Coherence::Unknown,
    }
}

fn mig_devices(nvml: &Nvml, parent: &Device<'_>, gpu: u32, left_out: &mut Vec<LeftOut>) -> Vec<MigDevice> {
    let mut devices = Vec::new();
    let count = parent.mig_device_count().unwrap_or_else(|code| {
        let why = format!("its MIG devices cannot be counted: {}", reason::sentence(&code));
        left_out.push(LeftOut { what: format!("gpu {gpu}"), why });
        0
    });
    for index in 0..count {
        let found = match parent.mig_device_by_index(index) {
            Ok(device) => mig_device(nvml, &device, index),
            // No instance at this index.
            Err(NvmlError::NotFound | NvmlError::InvalidArg) => continue,
            Err(code) => Err(reason::sentence(&code)),
        };
        match found {
            Ok(device) => devices.push(device),
            Err(why) => left_out.push(LeftOut { what: format!("mig {gpu}:{index}"), why }),
        }
    }
    devices
}

fn mig_device(nvml: &Nvml, device: &Device<'_>, index: u32) -> Result<MigDevice, Reason> {
    let told = |code: NvmlError| reason::sentence(&code);
    Ok(MigDevice {
        index,
        uuid: device.uuid().map_err(told)?.parse().map_err(text)?,
        gpu_instance: raw::gpu_instance(nvml, device).map_err(told)?,
        compute_instance: raw::compute_instance(nvml, device).map_err(told)?,
        graphics: device.name().is_ok_and(|name| has_graphics(&name)),
    })
}

/// Whether a MIG device's name, `<board> MIG <profile>`, has the attribute `gfx`: the profile's name tells it in one
/// call, where the profile itself takes five.
pub(super) fn has_graphics(name: &str) -> bool {
    let profile = name.rsplit_once(" MIG ").map_or("", |(_board, profile)| profile);
    let mut attributes = profile.split(['+', '.', ',', ' ', '-']);
    attributes.any(|attribute| attribute == "gfx")
}
