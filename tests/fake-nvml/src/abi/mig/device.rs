//! MIG devices: compute instances, seen as devices.

use crate::{
    abi::{Uint, code::Code, handle::Device, node::Target, pointer::Out},
    export,
};

export! {
    /// Whether the handle is that of a MIG device.
    fn nvmlDeviceIsMigDeviceHandle(device: Device, is: Out<Uint>) = node => {
        is.put(matches!(node.target(device)?, Target::Slice(_)).into())
    };

    /// The MIG device at an index below its parent; `NOT_FOUND` past the last.
    fn nvmlDeviceGetMigDeviceHandleByIndex(device: Device, index: Uint, mig: Out<Device>) = node => {
        let whole = node.whole(device)?;
        if !whole.layout().is_ok_and(|layout| index < layout.max_devices) {
            return Err(if whole.product.mig.is_some() { Code::INVALID_ARGUMENT } else { Code::NOT_SUPPORTED });
        }
        if !whole.gpu.mig.enabled {
            return Err(Code::NOT_FOUND);
        }
        let index = usize::try_from(index).unwrap_or(usize::MAX);
        let found = node.mig_devices(whole).nth(index).ok_or(Code::NOT_FOUND)?;
        mig.put(node.mig_handle(&found))
    };

    /// The parent of a MIG device.
    fn nvmlDeviceGetDeviceHandleFromMigDeviceHandle(mig: Device, device: Out<Device>) = node => {
        device.put(node.handle(node.mig_device(mig)?.part.whole.gpu)?)
    };

    /// Id of the GPU instance.
    fn nvmlDeviceGetGpuInstanceId(mig: Device, id: Out<Uint>) = node => {
        id.put(node.mig_device(mig)?.part.instance.id)
    };

    /// Id of the compute instance.
    fn nvmlDeviceGetComputeInstanceId(mig: Device, id: Out<Uint>) = node => {
        id.put(node.mig_device(mig)?.compute.id)
    };
}
