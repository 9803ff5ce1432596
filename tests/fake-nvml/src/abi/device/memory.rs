//! Memory and multiprocessors of a GPU or a MIG device.

use nvml_wrapper_sys::bindings as sys;

use crate::{
    abi::{
        code::Code,
        handle::Device,
        node::{Slice, Target},
        pointer::{Out, version},
    },
    export,
    profiles::Product,
};

const MIB: u64 = 1 << 20;

export! {
    /// Memory, all of it free but for what the driver keeps.
    fn nvmlDeviceGetMemoryInfo(device: Device, memory: Out<sys::nvmlMemory_t>) = node => {
        let (total, reserved) = sizes(node.target(device)?);
        memory.put(sys::nvmlMemory_t { total, free: total - reserved, used: reserved })
    };

    /// Memory, with what the driver keeps told apart.
    fn nvmlDeviceGetMemoryInfo_v2(device: Device, memory: Out<sys::nvmlMemory_v2_t>) = node => {
        let form = version::<sys::nvmlMemory_v2_t>(2);
        memory.get_versioned(form)?;
        let (total, reserved) = sizes(node.target(device)?);
        memory.put(sys::nvmlMemory_v2_t { version: form, total, reserved, free: total - reserved, used: 0 })
    };

    /// The window through which the processor reaches the memory.
    fn nvmlDeviceGetBAR1MemoryInfo(device: Device, memory: Out<sys::nvmlBAR1Memory_t>) = node => {
        let total = window(node.target(device)?).ok_or(Code::NOT_SUPPORTED)? * MIB;
        memory.put(sys::nvmlBAR1Memory_t { bar1Total: total, bar1Free: total - MIB, bar1Used: MIB })
    };

    /// What a MIG device has; a whole GPU answers nothing.
    fn nvmlDeviceGetAttributes_v2 | nvmlDeviceGetAttributes(device: Device, attributes: Out<sys::nvmlDeviceAttributes_t>) = node => {
        match node.target(device)? {
            Target::Whole(_) => Err(Code::NOT_SUPPORTED),
            Target::Slice(slice) => attributes.put(attributes_of(&slice)),
        }
    };
}

/// Total and reserved, in bytes.
fn sizes(target: Target<'_>) -> (u64, u64) {
    let reserved =
        |product: &Product| product.baseline.as_ref().and_then(|seen| seen.memory_reserved_mib).unwrap_or(0);
    match target {
        Target::Whole(whole) => (whole.product.memory_mib * MIB, reserved(whole.product) * MIB),
        Target::Slice(slice) => (slice.part.profile.memory_mb * MIB, 0),
    }
}

/// Size of the window, in MiB; a MIG device has its share, less one.
fn window(target: Target<'_>) -> Option<u64> {
    let whole = target.whole();
    let all = whole.product.bar1_mib?;
    let Target::Slice(slice) = target else { return Some(all) };
    let units = u64::from(whole.product.mig.as_ref()?.memory_slices.max(1));
    (all * u64::from(slice.part.profile.memory_slices) / units).checked_sub(1)
}

fn attributes_of(slice: &Slice<'_>) -> sys::nvmlDeviceAttributes_t {
    let (profile, engines) = (slice.part.profile, slice.part.profile.engines);
    sys::nvmlDeviceAttributes_t {
        multiprocessorCount: slice.profile.multiprocessors,
        sharedCopyEngineCount: engines.copy,
        sharedDecoderCount: engines.decoder,
        sharedEncoderCount: engines.encoder,
        sharedJpegCount: engines.jpeg,
        sharedOfaCount: engines.ofa,
        gpuInstanceSliceCount: profile.slices,
        computeInstanceSliceCount: slice.profile.slices,
        memorySizeMB: profile.memory_mb,
    }
}
