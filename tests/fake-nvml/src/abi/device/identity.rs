//! Who a device is.

use std::ffi::c_int;

use nvml_wrapper_sys::bindings as sys;

use crate::{
    abi::{
        Uint,
        code::{Answer, Code},
        handle::Device,
        node::{Target, Whole},
        pointer::{Out, OutText, fixed, version},
    },
    export,
    state::Gpu,
};

export! {
    /// Product name; a MIG device's bears its profile.
    fn nvmlDeviceGetName(device: Device, name: OutText, length: Uint) = node => {
        match node.target(device)? {
            Target::Whole(whole) => name.put(length, &whole.product.name),
            Target::Slice(slice) => name.put(length, &format!("{} MIG {}", slice.part.whole.product.name, slice.profile.name)),
        }
    };

    /// `GPU-...`, or `MIG-...` of a MIG device.
    fn nvmlDeviceGetUUID(device: Device, uuid: OutText, length: Uint) = node => {
        match node.target(device)? {
            Target::Whole(whole) => uuid.put(length, &whole.gpu.uuid.to_string()),
            Target::Slice(slice) => uuid.put(length, &slice.uuid()),
        }
    };

    /// NVML's index; of a MIG device its index below the parent.
    fn nvmlDeviceGetIndex(device: Device, index: Out<Uint>) = node => {
        match node.target(device)? {
            Target::Whole(whole) => index.put(node.index(whole.gpu)?),
            Target::Slice(slice) => {
                let mut devices = node.mig_devices(slice.part.whole);
                let place = devices.position(|other| other.uuid() == slice.uuid()).ok_or(Code::NOT_FOUND)?;
                index.put(Uint::try_from(place).unwrap_or(Uint::MAX))
            }
        }
    };

    /// `/dev/nvidia<minor>`; also answered for a MIG device, with its parent's.
    fn nvmlDeviceGetMinorNumber(device: Device, minor: Out<Uint>) = node => {
        minor.put(node.target(device)?.whole().gpu.minor)
    };

    /// Where it sits; of a MIG device its parent.
    fn nvmlDeviceGetPciInfo_v3 | nvmlDeviceGetPciInfo_v2 | nvmlDeviceGetPciInfo(device: Device, pci: Out<sys::nvmlPciInfo_t>) = node => {
        pci.put(pci_info(node.target(device)?.whole())?)
    };

    /// Where it sits, and what kind of PCI device it is.
    fn nvmlDeviceGetPciInfoExt(device: Device, pci: Out<sys::nvmlPciInfoExt_t>) = node => {
        let form = version::<sys::nvmlPciInfoExt_t>(1);
        pci.get_versioned(form)?;
        let whole = node.target(device)?.whole();
        let info = pci_info(whole)?;
        pci.put(sys::nvmlPciInfoExt_t {
            version: form,
            domain: info.domain,
            bus: info.bus,
            device: info.device,
            pciDeviceId: info.pciDeviceId,
            pciSubSystemId: info.pciSubSystemId,
            baseClass: whole.product.pci_class >> 8,
            subClass: whole.product.pci_class & 0xff,
            busId: info.busId,
        })
    };

    /// Serial number of the board.
    fn nvmlDeviceGetSerial(device: Device, serial: OutText, length: Uint) = node => {
        serial.put(length, &node.target(device)?.whole().gpu.serial)
    };

    /// `nvmlBrandType_t`.
    fn nvmlDeviceGetBrand(device: Device, brand: Out<Uint>) = node => {
        brand.put(node.target(device)?.whole().product.brand)
    };

    /// `nvmlDeviceArchitecture_t`.
    fn nvmlDeviceGetArchitecture(device: Device, architecture: Out<Uint>) = node => {
        architecture.put(node.target(device)?.whole().product.architecture)
    };

    /// CUDA compute capability.
    fn nvmlDeviceGetCudaComputeCapability(device: Device, major: Out<c_int>, minor: Out<c_int>) = node => {
        let (first, second) = node.target(device)?.whole().product.compute_capability;
        major.put(c_int::try_from(first).unwrap_or(0))?;
        minor.put(c_int::try_from(second).unwrap_or(0))
    };

    /// Number of a multi-GPU board: each has a board of its own.
    fn nvmlDeviceGetBoardId(device: Device, id: Out<Uint>) = node => {
        let (_, bus, place, _) = parts(node.whole(device)?.gpu)?;
        id.put(bus << 8 | place << 3)
    };

    /// NUMA node of the slot.
    fn nvmlDeviceGetNumaNodeId(device: Device, numa_node: Out<Uint>) = node => {
        numa_node.put(node.target(device)?.whole().gpu.numa_node.ok_or(Code::NOT_SUPPORTED)?)
    };
}

fn pci_info(whole: Whole<'_>) -> Answer<sys::nvmlPciInfo_t> {
    let (domain, bus, device, function) = parts(whole.gpu)?;
    Ok(sys::nvmlPciInfo_t {
        busIdLegacy: fixed(&format!("{domain:04X}:{bus:02X}:{device:02X}.{function:X}")),
        domain,
        bus,
        device,
        pciDeviceId: whole.product.pci_device_id,
        pciSubSystemId: whole.product.pci_subsystem_id,
        busId: fixed(&format!("{domain:08X}:{bus:02X}:{device:02X}.{function:X}")),
    })
}

/// Domain, bus, device and function.
fn parts(gpu: &Gpu) -> Answer<(u32, u32, u32, u32)> {
    let text = gpu.pci.to_string();
    let mut numbers = text.split([':', '.']).map(|digits| u32::from_str_radix(digits, 16).ok());
    let mut next = || numbers.next().flatten().ok_or(Code::UNKNOWN);
    Ok((next()?, next()?, next()?, next()?))
}
