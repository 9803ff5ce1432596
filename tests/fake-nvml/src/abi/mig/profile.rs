//! Profiles of GPU instances, and what still fits.

use nvml_wrapper_sys::bindings as sys;

use crate::{
    abi::{
        Uint,
        code::{Answer, Code},
        handle::Device,
        node::{Node, Whole},
        pointer::{Out, fixed, version},
    },
    export,
    mig::{self, room},
    profiles::GpuProfile,
};

/// `nvmlGpuInstancePlacement_t`.
pub type Place = sys::nvmlGpuInstancePlacement_t;

export! {
    /// A profile by its number.
    fn nvmlDeviceGetGpuInstanceProfileInfo(device: Device, number: Uint, info: Out<sys::nvmlGpuInstanceProfileInfo_t>) = node => {
        info.put(plain(by_number(node, device, number)?))
    };

    /// A profile by its number, with its name and, from the third form on, its capabilities.
    fn nvmlDeviceGetGpuInstanceProfileInfoV(device: Device, number: Uint, info: Out<sys::nvmlGpuInstanceProfileInfo_v2_t>) = node => {
        named(by_number(node, device, number)?, info)
    };

    /// A profile by its id, with its name and, from the third form on, its capabilities.
    fn nvmlDeviceGetGpuInstanceProfileInfoByIdV(device: Device, id: Uint, info: Out<sys::nvmlGpuInstanceProfileInfo_v2_t>) = node => {
        named(mig::profile_by_id(node.whole(device)?.product.mig.as_ref(), id)?, info)
    };

    /// Where instances of a profile may lie at all, whatever lies there now; without `places`, only how many.
    fn nvmlDeviceGetGpuInstancePossiblePlacements_v2 | nvmlDeviceGetGpuInstancePossiblePlacements(device: Device, id: Uint, places: Out<Place>, count: Out<Uint>) = node => {
        let profile = mig::profile_by_id(node.whole(device)?.product.mig.as_ref(), id)?;
        let all: Vec<Place> = profile.placements.iter().map(|place| Place { start: place.start, size: place.size }).collect();
        count.put(Uint::try_from(all.len()).unwrap_or(Uint::MAX))?;
        if places.is_null() { Ok(()) } else { places.put_all(&all) }
    };

    /// How many more instances of a profile fit.
    fn nvmlDeviceGetGpuInstanceRemainingCapacity(device: Device, id: Uint, count: Out<Uint>) = node => {
        let whole = cut(node.whole(device)?)?;
        let profile = mig::profile_by_id(whole.product.mig.as_ref(), id)?;
        count.put(room::capacity(whole.layout()?, &whole.gpu.mig, profile))
    };
}

/// A GPU whose MIG mode is on.
pub(super) fn cut(whole: Whole<'_>) -> Answer<Whole<'_>> {
    if whole.gpu.mig.enabled { Ok(whole) } else { Err(Code::NOT_SUPPORTED) }
}

fn by_number(node: &Node, device: Device, number: Uint) -> Answer<&GpuProfile> {
    Ok(mig::profile_by_number(node.whole(device)?.product.mig.as_ref(), number)?)
}

fn plain(profile: &GpuProfile) -> sys::nvmlGpuInstanceProfileInfo_t {
    sys::nvmlGpuInstanceProfileInfo_t {
        id: profile.id,
        isP2pSupported: 0,
        sliceCount: profile.slices,
        instanceCount: profile.max_instances,
        multiprocessorCount: profile.multiprocessors,
        copyEngineCount: profile.engines.copy,
        decoderCount: profile.engines.decoder,
        encoderCount: profile.engines.encoder,
        jpegCount: profile.engines.jpeg,
        ofaCount: profile.engines.ofa,
        memorySizeMB: profile.memory_mb,
    }
}

/// The caller's version field tells which form it has room for.
fn named(profile: &GpuProfile, info: Out<sys::nvmlGpuInstanceProfileInfo_v2_t>) -> Answer {
    let (second, third) = (
        version::<sys::nvmlGpuInstanceProfileInfo_v2_t>(2),
        version::<sys::nvmlGpuInstanceProfileInfo_v3_t>(3),
    );
    let form = info.cast::<Uint>().get()?;
    let name = format!("MIG {}", profile.name);
    if form == second {
        let info_v2 = sys::nvmlGpuInstanceProfileInfo_v2_t {
            version: form,
            id: profile.id,
            isP2pSupported: 0,
            sliceCount: profile.slices,
            instanceCount: profile.max_instances,
            multiprocessorCount: profile.multiprocessors,
            copyEngineCount: profile.engines.copy,
            decoderCount: profile.engines.decoder,
            encoderCount: profile.engines.encoder,
            jpegCount: profile.engines.jpeg,
            ofaCount: profile.engines.ofa,
            memorySizeMB: profile.memory_mb,
            name: fixed(&name),
        };
        return info.put(info_v2);
    }
    if form != third {
        return Err(Code::ARGUMENT_VERSION_MISMATCH);
    }
    info.cast().put(sys::nvmlGpuInstanceProfileInfo_v3_t {
        version: form,
        id: profile.id,
        sliceCount: profile.slices,
        instanceCount: profile.max_instances,
        multiprocessorCount: profile.multiprocessors,
        copyEngineCount: profile.engines.copy,
        decoderCount: profile.engines.decoder,
        encoderCount: profile.engines.encoder,
        jpegCount: profile.engines.jpeg,
        ofaCount: profile.engines.ofa,
        memorySizeMB: profile.memory_mb,
        name: fixed(&name),
        capabilities: if profile.graphics { sys::NVML_GPU_INSTANCE_PROFILE_CAPS_GFX } else { 0 },
    })
}
