//! What can be wrong.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// What is wrong with the driver as a whole.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Faults {
    /// The kernel module is not loaded: 9 from all calls.
    pub driver_not_loaded: bool,
    /// Library and kernel module are of two versions: 18 from all calls.
    pub version_mismatch: bool,
    /// Every call takes so long, in milliseconds.
    pub slow_call_ms: u64,
    /// Functions that take so long, in milliseconds, by name; instead of `slow_call_ms`.
    pub slow_functions: BTreeMap<String, u64>,
    /// Return codes by function name, such as `nvmlDeviceGetName` to 999: given without doing anything.
    pub functions: BTreeMap<String, u32>,
}

/// What is wrong with one GPU.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GpuFault {
    /// Nothing.
    #[default]
    None,
    /// Counted, and its handle is given, but every query answers 15: lost while the driver runs.
    Lost,
    /// Counted, but even its handle is refused with 15: fell off the bus (XID 79).
    FallenOff,
    /// Not counted, not found; an old handle answers 15: pulled out, or gone since the last boot.
    Removed,
    /// Queries work; changes of MIG answer 16 until it is reset.
    ResetRequired,
}
