//! Facts below `/sys` of the host.

use std::path::Path;

use berth_allocator::ids::PciAddress;

use super::place::Notes;
use crate::root::Root;

const MODULE_VERSION: &str = "/sys/module/nvidia/version";
const CHIP_FAMILY: &str = "/sys/devices/soc0/family";
/// Longest file of one value.
const VALUE_LIMIT: usize = 4096;

/// Version of the loaded kernel module.
pub(super) fn module_version(host: &Root, notes: &mut Notes) -> Option<String> {
    value(host, MODULE_VERSION, notes)
}

/// Family of the system's chip, such as `Tegra`.
pub(super) fn chip_family(host: &Root, notes: &mut Notes) -> Option<String> {
    value(host, CHIP_FAMILY, notes)
}

fn value(host: &Root, path: &str, notes: &mut Notes) -> Option<String> {
    let bytes = notes.unless_missing(host.read(Path::new(path), VALUE_LIMIT))?;
    Some(String::from_utf8_lossy(&bytes).trim().to_owned())
}

/// Names of the GPU's DRM nodes, such as `card1` and `renderD129`, sorted.
pub(super) fn drm_nodes(host: &Root, pci: &PciAddress, notes: &mut Notes) -> Vec<String> {
    let folder = format!("/sys/bus/pci/devices/{pci}/drm");
    let is_node = |name: &[u8]| is_numbered(name, b"card") || is_numbered(name, b"renderD");
    let entries = notes.unless_missing(host.read_dir_where(Path::new(&folder), is_node)).unwrap_or_default();
    entries.into_iter().filter_map(|entry| entry.name.into_string().ok()).collect()
}

/// Whether `name` is `prefix` and a number.
pub(super) fn is_numbered(name: &[u8], prefix: &[u8]) -> bool {
    name.strip_prefix(prefix)
        .is_some_and(|digits| !digits.is_empty() && digits.iter().all(u8::is_ascii_digit))
}
