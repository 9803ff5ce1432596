//! The document as data: the fields of CDI 1.1.0 under their own names.
//!
//! An absent value is an absent key. Paths are text, since a document is: a host path that is no UTF-8 has no place
//! in it.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize};

use super::{DeviceName, Kind, Version};

/// A whole CDI file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Spec {
    /// What a reader must understand.
    pub cdi_version: Version,
    /// Kind of all devices.
    pub kind: Kind,
    /// Notes for readers.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty", deserialize_with = "null_is_empty")]
    pub annotations: BTreeMap<String, String>,
    /// What can be asked for.
    #[serde(deserialize_with = "null_is_empty")]
    pub devices: Vec<Device>,
    /// Made once, with any of the devices.
    #[serde(default, skip_serializing_if = "ContainerEdits::is_empty", deserialize_with = "null_is_empty")]
    pub container_edits: ContainerEdits,
}

/// A device that can be asked for by name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Device {
    /// Unique within the kind.
    pub name: DeviceName,
    /// Notes for readers.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty", deserialize_with = "null_is_empty")]
    pub annotations: BTreeMap<String, String>,
    /// Made with this device.
    #[serde(default, deserialize_with = "null_is_empty")]
    pub container_edits: ContainerEdits,
}

/// What changes in a container.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ContainerEdits {
    /// `NAME=VALUE`.
    #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "null_is_empty")]
    pub env: Vec<String>,
    /// Device nodes.
    #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "null_is_empty")]
    pub device_nodes: Vec<DeviceNode>,
    /// Network interfaces that move into the container.
    #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "null_is_empty")]
    pub net_devices: Vec<NetDevice>,
    /// Mounts.
    #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "null_is_empty")]
    pub mounts: Vec<Mount>,
    /// OCI hooks.
    #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "null_is_empty")]
    pub hooks: Vec<Hook>,
    /// Cache and memory bandwidth (Intel RDT).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intel_rdt: Option<IntelRdt>,
    /// Groups of the container's process.
    #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "null_is_empty")]
    pub additional_gids: Vec<u32>,
}

/// A device node of the container. A number that is absent is looked up by the runtime at injection.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DeviceNode {
    /// Where the container has it.
    pub path: String,
    /// Where the host has it, when elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host_path: Option<String>,
    /// What it is, where it cannot be looked up.
    #[serde(default, rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<NodeKind>,
    /// Major number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub major: Option<u32>,
    /// Minor number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub minor: Option<u32>,
    /// Permission bits, written in decimal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file_mode: Option<u32>,
    /// What the device cgroup lets through: of `r`, `w` and `m`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub permissions: Option<String>,
    /// Owner.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uid: Option<u32>,
    /// Group.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gid: Option<u32>,
}

impl DeviceNode {
    /// Where the host has it.
    #[must_use]
    pub fn on_host(&self) -> &str {
        self.host_path.as_deref().unwrap_or(&self.path)
    }
}

/// What a device node is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum NodeKind {
    /// Character device.
    #[serde(rename = "c")]
    Char,
    /// Block device.
    #[serde(rename = "b")]
    Block,
    /// Unbuffered character device.
    #[serde(rename = "u")]
    Unbuffered,
    /// Pipe.
    #[serde(rename = "p")]
    Pipe,
}

/// A network interface that moves into the container.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NetDevice {
    /// Name on the host.
    pub host_interface_name: String,
    /// Name in the container.
    pub name: String,
}

/// A mount of the container.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Mount {
    /// What is mounted.
    pub host_path: String,
    /// Where the container has it.
    pub container_path: String,
    /// As of mount(8), with `rbind` and propagation.
    #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "null_is_empty")]
    pub options: Vec<String>,
    /// Type of the file system; absent for a bind mount.
    #[serde(default, rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
}

/// A program that the runtime runs beside the container.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Hook {
    /// When it runs.
    pub hook_name: HookName,
    /// The program, on the host.
    pub path: String,
    /// Its arguments, its own name first.
    #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "null_is_empty")]
    pub args: Vec<String>,
    /// Its whole environment. When absent, some runtimes give it the container's own: code of the image then runs on
    /// the host (CVE-2025-23266).
    #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "null_is_empty")]
    pub env: Vec<String>,
    /// Seconds until it is killed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout: Option<u32>,
}

/// When a hook runs (OCI runtime specification).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum HookName {
    /// Before the container's process, in the runtime's namespaces.
    Prestart,
    /// After the namespaces are there, in the runtime's.
    CreateRuntime,
    /// After the mounts and before the change of root, in the container's namespaces.
    CreateContainer,
    /// Before the container's process, in its root.
    StartContainer,
    /// After the container's process started.
    Poststart,
    /// After it ended.
    Poststop,
}

/// Cache and memory bandwidth (Intel RDT).
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct IntelRdt {
    /// Class of service: a name in the resctrl file system.
    #[serde(default, rename = "closID", skip_serializing_if = "Option::is_none")]
    pub clos_id: Option<String>,
    /// `L3:...`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub l3_cache_schema: Option<String>,
    /// `MB:...`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mem_bw_schema: Option<String>,
    /// Lines for the schemata file.
    #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "null_is_empty")]
    pub schemata: Vec<String>,
    /// Whether the container is a monitoring group.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub enable_monitoring: bool,
    /// Cache monitoring; dropped from CDI in 1.1.0.
    #[serde(default, rename = "enableCMT", skip_serializing_if = "std::ops::Not::not")]
    pub enable_cmt: bool,
    /// Bandwidth monitoring; dropped from CDI in 1.1.0.
    #[serde(default, rename = "enableMBM", skip_serializing_if = "std::ops::Not::not")]
    pub enable_mbm: bool,
}

impl Spec {
    /// The common edits, then each device's.
    pub fn all_edits(&self) -> impl Iterator<Item = &ContainerEdits> {
        std::iter::once(&self.container_edits)
            .chain(self.devices.iter().map(|device| &device.container_edits))
    }
}

impl ContainerEdits {
    /// Whether they change nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// Readers written in Go take `null` for an empty list or map.
fn null_is_empty<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Default + Deserialize<'de>,
{
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}
