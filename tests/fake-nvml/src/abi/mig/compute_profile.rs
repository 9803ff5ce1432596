//! Profiles of compute instances, and what still fits in a GPU instance.

use nvml_wrapper_sys::bindings as sys;

use crate::{
    abi::{
        Uint,
        code::{Answer, Code},
        handle::GpuInstanceHandle,
        node::{Node, Part},
        pointer::{Out, fixed, version},
    },
    export,
    mig::{self, room},
    profiles::ComputeProfile,
};

/// `nvmlComputeInstancePlacement_t`.
pub type Place = sys::nvmlComputeInstancePlacement_t;

export! {
    /// A profile by its number.
    fn nvmlGpuInstanceGetComputeInstanceProfileInfo(instance: GpuInstanceHandle, number: Uint, engines: Uint, info: Out<sys::nvmlComputeInstanceProfileInfo_t>) = node => {
        let (part, profile) = find(node, instance, number, engines)?;
        info.put(plain(&part, profile))
    };

    /// A profile by its number, with its name and, from the third form on, its capabilities.
    fn nvmlGpuInstanceGetComputeInstanceProfileInfoV(instance: GpuInstanceHandle, number: Uint, engines: Uint, info: Out<sys::nvmlComputeInstanceProfileInfo_v2_t>) = node => {
        let (part, profile) = find(node, instance, number, engines)?;
        named(&part, profile, info)
    };

    /// How many more compute instances of a profile fit.
    fn nvmlGpuInstanceGetComputeInstanceRemainingCapacity(instance: GpuInstanceHandle, id: Uint, count: Out<Uint>) = node => {
        let part = node.part(instance)?;
        let profile = mig::compute_profile(part.profile, id)?;
        let used = mig::used_slices(part.profile, part.instance);
        count.put(room::compute_capacity(part.instance, part.profile.slices, profile, used))
    };

    /// Where compute instances of a profile may lie at all, whatever lies there now; without `places`, only how many.
    fn nvmlGpuInstanceGetComputeInstancePossiblePlacements(instance: GpuInstanceHandle, id: Uint, places: Out<Place>, count: Out<Uint>) = node => {
        let profile = mig::compute_profile(node.part(instance)?.profile, id)?;
        let all: Vec<Place> = profile.placements.iter().map(|place| Place { start: place.start, size: place.size }).collect();
        count.put(Uint::try_from(all.len()).unwrap_or(Uint::MAX))?;
        if places.is_null() { Ok(()) } else { places.put_all(&all) }
    };
}

/// Engines are shared within a GPU instance: there is no other engine profile.
fn find(
    node: &Node,
    instance: GpuInstanceHandle,
    number: Uint,
    engines: Uint,
) -> Answer<(Part<'_>, &ComputeProfile)> {
    let part = node.part(instance)?;
    if engines != sys::NVML_COMPUTE_INSTANCE_ENGINE_PROFILE_SHARED {
        return Err(Code::INVALID_ARGUMENT);
    }
    Ok((part, mig::compute_profile(part.profile, number)?))
}

fn plain(part: &Part<'_>, profile: &ComputeProfile) -> sys::nvmlComputeInstanceProfileInfo_t {
    let engines = part.profile.engines;
    sys::nvmlComputeInstanceProfileInfo_t {
        id: profile.id,
        sliceCount: profile.slices,
        instanceCount: profile.max_instances,
        multiprocessorCount: profile.multiprocessors,
        sharedCopyEngineCount: engines.copy,
        sharedDecoderCount: engines.decoder,
        sharedEncoderCount: engines.encoder,
        sharedJpegCount: engines.jpeg,
        sharedOfaCount: engines.ofa,
    }
}

/// The caller's version field tells which form it has room for.
fn named(
    part: &Part<'_>,
    profile: &ComputeProfile,
    info: Out<sys::nvmlComputeInstanceProfileInfo_v2_t>,
) -> Answer {
    let form = info.cast::<Uint>().get()?;
    let (engines, name) = (part.profile.engines, format!("MIG {}", profile.name));
    if form == version::<sys::nvmlComputeInstanceProfileInfo_v2_t>(2) {
        return info.put(sys::nvmlComputeInstanceProfileInfo_v2_t {
            version: form,
            id: profile.id,
            sliceCount: profile.slices,
            instanceCount: profile.max_instances,
            multiprocessorCount: profile.multiprocessors,
            sharedCopyEngineCount: engines.copy,
            sharedDecoderCount: engines.decoder,
            sharedEncoderCount: engines.encoder,
            sharedJpegCount: engines.jpeg,
            sharedOfaCount: engines.ofa,
            name: fixed(&name),
        });
    }
    if form != version::<sys::nvmlComputeInstanceProfileInfo_v3_t>(3) {
        return Err(Code::ARGUMENT_VERSION_MISMATCH);
    }
    info.cast().put(sys::nvmlComputeInstanceProfileInfo_v3_t {
        version: form,
        id: profile.id,
        sliceCount: profile.slices,
        instanceCount: profile.max_instances,
        multiprocessorCount: profile.multiprocessors,
        sharedCopyEngineCount: engines.copy,
        sharedDecoderCount: engines.decoder,
        sharedEncoderCount: engines.encoder,
        sharedJpegCount: engines.jpeg,
        sharedOfaCount: engines.ofa,
        name: fixed(&name),
        capabilities: if part.profile.graphics { sys::NVML_COMPUTE_INSTANCE_PROFILE_CAPS_GFX } else { 0 },
    })
}
