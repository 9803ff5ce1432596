//! Facts below `/proc` of the host.

mod majors;
mod mig_minors;

use std::{collections::BTreeMap, path::Path};

use super::{place::Notes, snapshot::Capability};
use crate::root::Root;

const MIG_MINORS: &str = "/proc/driver/nvidia-caps/mig-minors";
const DEVICES: &str = "/proc/devices";
/// A driver for 32 GPUs writes about 120 KB of capabilities.
const LIMIT: usize = 4 << 20;

/// Minor number of each MIG capability.
pub(super) fn capabilities(host: &Root, notes: &mut Notes) -> BTreeMap<Capability, u32> {
    let bytes = notes.unless_missing(host.read(Path::new(MIG_MINORS), LIMIT));
    bytes.map(|bytes| mig_minors::parse(&bytes)).unwrap_or_default()
}

/// Major number of each character driver.
pub(super) fn majors(host: &Root, notes: &mut Notes) -> BTreeMap<String, u32> {
    let bytes = notes.unless_missing(host.read(Path::new(DEVICES), LIMIT));
    bytes.map(|bytes| majors::parse(&bytes)).unwrap_or_default()
}
