//! Facts below `/proc` of the host.

mod information;
mod majors;
mod mig_minors;
mod params;

use std::{collections::BTreeMap, path::Path};

use berth_allocator::{
    ids::PciAddress,
    inventory::{Faulty, Gpu, Inventory},
};

use super::{capability::Capability, place::Notes, sysfs::is_numbered};
use crate::root::Root;

const MIG_MINORS: &str = "/proc/driver/nvidia-caps/mig-minors";
const PARAMS: &str = "/proc/driver/nvidia/params";
const GPUS: &str = "/proc/driver/nvidia/gpus";
const CAPABILITIES: &str = "/proc/driver/nvidia/capabilities";
const DEVICES: &str = "/proc/devices";
/// A driver for 32 GPUs writes about 120 KB of capabilities.
const LIMIT: usize = 4 << 20;

/// Minor number of each MIG capability.
pub(super) fn capabilities(host: &Root, notes: &mut Notes) -> BTreeMap<Capability, u32> {
    let bytes = notes.unless_missing(host.read(Path::new(MIG_MINORS), LIMIT));
    bytes.map(|bytes| mig_minors::parse(&bytes)).unwrap_or_default()
}

/// Whether the driver makes and changes its device nodes itself.
pub(super) fn modifies_device_files(host: &Root, notes: &mut Notes) -> Option<bool> {
    let bytes = notes.unless_missing(host.read(Path::new(PARAMS), LIMIT))?;
    params::modifies_device_files(&bytes)
}

/// Major number of each character driver.
pub(super) fn majors(host: &Root, notes: &mut Notes) -> BTreeMap<String, u32> {
    let bytes = notes.unless_missing(host.read(Path::new(DEVICES), LIMIT));
    bytes.map(|bytes| majors::parse(&bytes)).unwrap_or_default()
}

/// Whole GPUs, by the order of their addresses, without NVML.
///
/// What the kernel module does not tell stays out: a GPU that is cut into instances is named among the faulty.
pub(super) fn gpus(host: &Root, notes: &mut Notes) -> Inventory {
    let folders = notes.unless_missing(host.read_dir(Path::new(GPUS))).unwrap_or_default();
    let mut addresses: Vec<PciAddress> =
        folders.iter().filter_map(|entry| entry.name.to_str()?.parse().ok()).collect();
    addresses.sort_unstable();
    let mut inventory = Inventory::default();
    for (pci, index) in addresses.into_iter().zip(0..) {
        match gpu(host, pci) {
            Ok(gpu) => inventory.gpus.push(Gpu { index, ..gpu }),
            Err(reason) => inventory.faulty.push(Faulty { index, reason }),
        }
    }
    inventory
}

fn gpu(host: &Root, pci: PciAddress) -> Result<Gpu, String> {
    let path = format!("{GPUS}/{pci}/information");
    let bytes = host.read(Path::new(&path), LIMIT).map_err(|error| error.to_string())?;
    let gpu = information::parse(&bytes, pci)?;
    let is_instance = |name: &[u8]| is_numbered(name, b"gi");
    let instances =
        host.read_dir_where(Path::new(&format!("{CAPABILITIES}/gpu{}/mig", gpu.minor)), is_instance);
    if instances.is_ok_and(|instances| !instances.is_empty()) {
        return Err(
            "it is cut into MIG instances, which only NVML describes; install the driver's libnvidia-ml"
                .into(),
        );
    }
    Ok(gpu)
}
