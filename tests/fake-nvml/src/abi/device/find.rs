//! From an index, UUID, address or serial number to a handle.

use nvml_wrapper_sys::bindings as sys;

use crate::{
    abi::{
        Uint,
        code::{Answer, Code},
        handle::Device,
        node::{Node, Whole},
        pointer::{InText, Out, version},
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

    /// By UUID, as text or as its 16 bytes.
    fn nvmlDeviceGetHandleByUUIDV(uuid: Out<sys::nvmlUUID_t>, device: Out<Device>) = node => {
        let wanted = uuid.get_versioned(version::<sys::nvmlUUID_t>(1))?;
        device.put(by_uuid(node, &spelled(&wanted)?)?)
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

/// The text of a UUID; as bytes it is always that of a GPU.
fn spelled(uuid: &sys::nvmlUUID_t) -> Answer<String> {
    match uuid.type_ {
        sys::nvmlUUIDType_t_NVML_UUID_TYPE_ASCII => {
            // SAFETY: the type says that text stands there, and any bytes are text of C.
            let text = unsafe { uuid.value.str_ };
            let bytes = text.iter().map(|c| c.to_ne_bytes()).map(|[byte]| byte).take_while(|byte| *byte != 0);
            String::from_utf8(bytes.collect()).ok().ok_or(Code::INVALID_ARGUMENT)
        }
        sys::nvmlUUIDType_t_NVML_UUID_TYPE_BINARY => {
            // SAFETY: the type says that bytes stand there, and any bytes are a UUID.
            let bytes = unsafe { uuid.value.bytes };
            let digits = |group: std::ops::Range<usize>| -> String {
                bytes.iter().skip(group.start).take(group.len()).map(|byte| format!("{byte:02x}")).collect()
            };
            let groups = [0..4, 4..6, 6..8, 8..10, 10..16].map(digits);
            Ok(format!("GPU-{}", groups.join("-")))
        }
        _ => Err(Code::INVALID_ARGUMENT),
    }
}

/// NVML also takes an address without its domain.
fn full(address: &str) -> String {
    match address.matches(':').count() {
        1 => format!("0000:{address}"),
        _ => address.into(),
    }
}
