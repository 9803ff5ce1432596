//! From an index, UUID, address or serial number to a handle.

use crate::{
    abi::{
        Uint,
        code::{Answer, Code},
        handle::Device,
        node::{Node, Whole},
        pointer::{InText, Out},
    },
    export,
    state::Gpu,
};

export! {
    /// By NVML's index: the order of PCI addresses.
    fn nvmlDeviceGetHandleByIndex_v2 | nvmlDeviceGetHandleByIndex(index: Uint, device: Out<Device>) = node => {
        let index = usize::try_from(index).unwrap_or(usize::MAX);
        device.put(node.handle(node.gpus().nth(index).ok_or(Code::INVALID_ARGUMENT)?)?)
    };

    /// By the UUID of a GPU or of a MIG device.
    fn nvmlDeviceGetHandleByUUID(uuid: InText, device: Out<Device>) = node => {
        device.put(by_uuid(node, uuid.get()?)?)
    };

    /// By PCI address, with four or eight digits of the domain.
    fn nvmlDeviceGetHandleByPciBusId_v2 | nvmlDeviceGetHandleByPciBusId(address: InText, device: Out<Device>) = node => {
        let address = full(address.get()?).parse().ok().ok_or(Code::NOT_FOUND)?;
        device.put(node.handle(node.at(address)?)?)
    };

    /// By serial number of the board.
    fn nvmlDeviceGetHandleBySerial(serial: InText, device: Out<Device>) = node => {
        let serial = serial.get()?;
        device.put(node.handle(node.gpus().find(|gpu| gpu.serial == serial).ok_or(Code::NOT_FOUND)?)?)
    };
}

fn by_uuid(node: &Node, uuid: &str) -> Answer<Device> {
    if let Some(gpu) = node.gpus().find(|gpu| gpu.uuid.to_string() == uuid) {
        return node.handle(gpu);
    }
    let slice = |gpu| {
        node.mig_devices(Whole { gpu, product: node.state.product(gpu)? }).find(|slice| slice.uuid() == uuid)
    };
    if !uuid.starts_with("MIG-") {
        return Err(Code::NOT_FOUND);
    }
    let found = node.gpus().filter(|gpu: &&Gpu| gpu.mig.enabled).find_map(slice);
    found.map(|slice| node.mig_handle(&slice)).ok_or(Code::NOT_FOUND)
}

/// NVML also takes an address without its domain.
fn full(address: &str) -> String {
    match address.matches(':').count() {
        1 => format!("0000:{address}"),
        _ => address.into(),
    }
}
