//! Compute instances.

use nvml_wrapper_sys::bindings as sys;

use super::{compute_profile::Place, mode::needs_no_reset};
use crate::{
    abi::{
        Uint,
        code::Answer,
        handle::{ComputeInstanceHandle, GpuInstanceHandle},
        node::{Node, Slice},
        pointer::Out,
    },
    export, mig,
    profiles::Placement,
};

export! {
    /// Makes a compute instance in the first place that is free.
    fn nvmlGpuInstanceCreateComputeInstance(instance: GpuInstanceHandle, profile: Uint, compute: Out<ComputeInstanceHandle>) = node => {
        compute.put(create(node, instance, profile, None)?)
    };

    /// Makes a compute instance at a placement.
    fn nvmlGpuInstanceCreateComputeInstanceWithPlacement(instance: GpuInstanceHandle, profile: Uint, place: Out<Place>, compute: Out<ComputeInstanceHandle>) = node => {
        let Place { start, size } = place.get()?;
        compute.put(create(node, instance, profile, Some(Placement { start, size }))?)
    };

    /// Unmakes a compute instance.
    fn nvmlComputeInstanceDestroy(compute: ComputeInstanceHandle) = node => {
        let slice = node.slice(compute)?;
        node.change(slice.part.whole.gpu.minor, |gpu, _| {
            needs_no_reset(gpu)?;
            Ok(mig::destroy_compute_instance(&mut gpu.mig, slice.part.instance.id, slice.compute.id)?)
        })
    };

    /// The compute instances of a profile; `computes` has room for as many as the profile allows.
    fn nvmlGpuInstanceGetComputeInstances(instance: GpuInstanceHandle, profile: Uint, computes: Out<ComputeInstanceHandle>, count: Out<Uint>) = node => {
        let part = node.part(instance)?;
        mig::compute_profile(part.profile, profile)?;
        let same = part.instance.compute.iter().filter(|compute| compute.profile == profile);
        let all: Vec<_> = same.filter_map(|one| Some(node.slice_handle(&node.slice_of(part, one.id).ok()?))).collect();
        count.put(Uint::try_from(all.len()).unwrap_or(Uint::MAX))?;
        computes.put_all(&all)
    };

    /// The compute instance with an id.
    fn nvmlGpuInstanceGetComputeInstanceById(instance: GpuInstanceHandle, id: Uint, compute: Out<ComputeInstanceHandle>) = node => {
        compute.put(node.slice_handle(&node.slice_of(node.part(instance)?, id)?))
    };

    /// Id and profile of a compute instance, in the form of old.
    fn nvmlComputeInstanceGetInfo(compute: ComputeInstanceHandle, info: Out<OldInfo>) = node => {
        let new = info_of(node, &node.slice(compute)?)?;
        info.put(OldInfo { device: new.device, gpuInstance: new.gpuInstance, id: new.id, profileId: new.profileId })
    };

    /// Id, profile and placement of a compute instance.
    fn nvmlComputeInstanceGetInfo_v2(compute: ComputeInstanceHandle, info: Out<sys::nvmlComputeInstanceInfo_t>) = node => {
        info.put(info_of(node, &node.slice(compute)?)?)
    };
}

/// `nvmlComputeInstanceInfo_t` as it was before placements: the bindings hold the newest form alone.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct OldInfo {
    device: sys::nvmlDevice_t,
    gpuInstance: sys::nvmlGpuInstance_t,
    id: Uint,
    profileId: Uint,
}

fn info_of(node: &Node, slice: &Slice<'_>) -> Answer<sys::nvmlComputeInstanceInfo_t> {
    let Placement { start, size } = slice.compute.placement;
    Ok(sys::nvmlComputeInstanceInfo_t {
        device: node.handle(slice.part.whole.gpu)?.to_pointer(),
        gpuInstance: node.part_handle(&slice.part).to_pointer(),
        id: slice.compute.id,
        profileId: slice.profile.id,
        placement: Place { start, size },
    })
}

fn create(
    node: &Node,
    instance: GpuInstanceHandle,
    profile: Uint,
    place: Option<Placement>,
) -> Answer<ComputeInstanceHandle> {
    let part = node.part(instance)?;
    let (minor, id) = (part.whole.gpu.minor, part.instance.id);
    let compute = node.change(minor, |gpu, product| {
        needs_no_reset(gpu)?;
        Ok(mig::create_compute_instance(product.mig.as_ref(), &mut gpu.mig, id, profile, place)?)
    })?;
    Ok(ComputeInstanceHandle::of(minor, id, compute))
}
