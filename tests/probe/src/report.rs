//! The report, as JSON between the program and who started it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// All that a container sees of GPUs, and what it could do with it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Report {
    /// The environment.
    pub env: BTreeMap<String, String>,
    /// Device nodes below /dev, by path.
    pub devices: Vec<DeviceNode>,
    /// Device nodes that the program made itself, with numbers that it was told.
    pub made: Vec<DeviceNode>,
    /// Mounts, in the kernel's order.
    pub mounts: Vec<Mount>,
    /// Symbolic links below / but for /proc and /sys, by path.
    pub links: Vec<Link>,
    /// Paths that /etc/ld.so.cache names; `None` without one.
    pub cached: Option<Vec<String>>,
    /// What the container sees of the driver's parameters; `None` without them.
    pub params: Option<String>,
}

/// A device node, and what opening it gave.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DeviceNode {
    /// Its path.
    pub path: String,
    /// Its major number.
    pub major: u64,
    /// Its minor number.
    pub minor: u64,
    /// Permissions of its mode.
    pub mode: u32,
    /// Whether it can be opened.
    pub opened: Opened,
}

/// What opening a device node gave.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Opened {
    /// A device answered.
    Open,
    /// The container may; there is no driver behind the numbers (ENXIO or ENODEV).
    Granted,
    /// The container may not (EPERM or EACCES).
    Denied,
    /// Something else, by its name.
    Other(String),
}

impl Opened {
    /// True if the container may use the device, whether there is one or not.
    #[must_use]
    pub fn allowed(&self) -> bool {
        matches!(self, Self::Open | Self::Granted)
    }
}

/// A mount.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mount {
    /// Where, in the container.
    pub at: String,
    /// Which folder or file of its file system is mounted.
    pub root: String,
    /// Its options, such as `ro,nosuid`.
    pub options: String,
    /// Its type.
    pub kind: String,
}

/// A symbolic link.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Link {
    /// Its path.
    pub path: String,
    /// What it holds.
    pub target: String,
}
