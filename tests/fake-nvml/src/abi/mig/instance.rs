//! GPU instances.

use nvml_wrapper_sys::bindings as sys;

use super::{
    mode::needs_no_reset,
    profile::{Place, cut},
};
use crate::{
    abi::{
        Uint,
        code::Answer,
        handle::{Device, GpuInstanceHandle},
        node::Node,
        pointer::Out,
    },
    export, mig,
    profiles::Placement,
};

export! {
    /// Makes a GPU instance where it costs the least room.
    fn nvmlDeviceCreateGpuInstance(device: Device, profile: Uint, instance: Out<GpuInstanceHandle>) = node => {
        instance.put(create(node, device, profile, None)?)
    };

    /// Makes a GPU instance at a placement.
    fn nvmlDeviceCreateGpuInstanceWithPlacement(device: Device, profile: Uint, place: Out<Place>, instance: Out<GpuInstanceHandle>) = node => {
        let Place { start, size } = place.get()?;
        instance.put(create(node, device, profile, Some(Placement { start, size }))?)
    };

    /// Unmakes a GPU instance.
    fn nvmlGpuInstanceDestroy(instance: GpuInstanceHandle) = node => {
        let part = node.part(instance)?;
        node.change(part.whole.gpu.minor, |gpu, _| {
            needs_no_reset(gpu)?;
            Ok(mig::destroy_gpu_instance(&mut gpu.mig, part.instance.id)?)
        })
    };

    /// The GPU instances of a profile; `instances` has room for as many as the profile allows.
    fn nvmlDeviceGetGpuInstances(device: Device, profile: Uint, instances: Out<GpuInstanceHandle>, count: Out<Uint>) = node => {
        let whole = cut(node.whole(device)?)?;
        mig::profile_by_id(whole.product.mig.as_ref(), profile)?;
        let same = whole.gpu.mig.instances.iter().filter(|instance| instance.profile == profile);
        let all: Vec<_> = same.filter_map(|one| Some(node.part_handle(&node.part_of(whole, one.id).ok()?))).collect();
        count.put(Uint::try_from(all.len()).unwrap_or(Uint::MAX))?;
        instances.put_all(&all)
    };

    /// The GPU instance with an id.
    fn nvmlDeviceGetGpuInstanceById(device: Device, id: Uint, instance: Out<GpuInstanceHandle>) = node => {
        let whole = cut(node.whole(device)?)?;
        instance.put(node.part_handle(&node.part_of(whole, id)?))
    };

    /// Id, profile and placement of a GPU instance.
    fn nvmlGpuInstanceGetInfo(instance: GpuInstanceHandle, info: Out<sys::nvmlGpuInstanceInfo_t>) = node => {
        let part = node.part(instance)?;
        let Placement { start, size } = part.instance.placement;
        info.put(sys::nvmlGpuInstanceInfo_t {
            device: node.handle(part.whole.gpu)?.to_pointer(),
            id: part.instance.id,
            profileId: part.profile.id,
            placement: Place { start, size },
        })
    };
}

fn create(node: &Node, device: Device, profile: Uint, place: Option<Placement>) -> Answer<GpuInstanceHandle> {
    let whole = node.whole(device)?;
    let id = node.change(whole.gpu.minor, |gpu, product| {
        needs_no_reset(gpu)?;
        Ok(mig::create_gpu_instance(product.mig.as_ref(), &mut gpu.mig, profile, place)?)
    })?;
    Ok(GpuInstanceHandle::of(whole.gpu.minor, id))
}
