//! The parts of a GPU in MIG mode.

use serde::{Deserialize, Serialize};

use crate::ids::MigUuid;

/// Current MIG mode of a GPU.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MigMode {
    /// The board has no MIG.
    #[default]
    Unsupported,
    /// One whole GPU.
    Disabled,
    /// Cut into instances; the whole GPU cannot be used.
    Enabled,
}

/// A compute instance inside a GPU instance: what a container gets.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MigDevice {
    /// NVML's MIG index below the parent.
    pub index: u32,
    /// Lasts as long as the instance.
    pub uuid: MigUuid,
    /// GPU instance id.
    pub gpu_instance: u32,
    /// Compute instance id within the GPU instance.
    pub compute_instance: u32,
    /// Whether the profile allows graphics (`+gfx`): only then does it get the parent's DRM nodes.
    pub graphics: bool,
}
