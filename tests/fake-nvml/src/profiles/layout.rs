//! How a board is cut into instances.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The MIG side of a product.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MigLayout {
    /// Most MIG devices at a time.
    pub max_devices: u32,
    /// Memory slices of the board: the units of a placement.
    pub memory_slices: u32,
    /// Whether a change of mode waits for a reset (Ampere).
    pub mode_needs_reset: bool,
    /// Ids that a GPU instance may bear, by its number of memory slices.
    pub instance_ids: BTreeMap<u32, Vec<u32>>,
    /// Profiles of GPU instances, in the order of the product's list.
    pub profiles: Vec<GpuProfile>,
}

/// A kind of GPU instance.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GpuProfile {
    /// Number by which a caller asks (`NVML_GPU_INSTANCE_PROFILE_*`).
    pub number: u32,
    /// Id that NVML answers and that creates an instance.
    pub id: u32,
    /// Such as `3g.20gb`.
    pub name: String,
    /// Compute slices.
    pub slices: u32,
    /// Memory slices.
    pub memory_slices: u32,
    /// Most instances at a time on one board.
    pub max_instances: u32,
    /// Memory, in MiB.
    pub memory_mb: u64,
    /// Multiprocessors.
    pub multiprocessors: u32,
    /// Engines of the instance.
    pub engines: Engines,
    /// Whether graphics can be used (`+gfx`).
    pub graphics: bool,
    /// Where an instance may lie, in memory slices.
    pub placements: Vec<Placement>,
    /// Profiles of compute instances within.
    pub compute: Vec<ComputeProfile>,
}

/// A kind of compute instance.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ComputeProfile {
    /// Number and id: the same here (`NVML_COMPUTE_INSTANCE_PROFILE_*`).
    pub id: u32,
    /// Such as `1c.3g.20gb`; the full-size one bears the name of its GPU instance.
    pub name: String,
    /// Compute slices.
    pub slices: u32,
    /// Most instances at a time in one GPU instance.
    pub max_instances: u32,
    /// Multiprocessors.
    pub multiprocessors: u32,
    /// Where an instance may lie, in compute slices of the GPU instance.
    pub placements: Vec<Placement>,
}

/// A stretch of slices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Placement {
    /// First slice.
    pub start: u32,
    /// Number of slices.
    pub size: u32,
}

impl Placement {
    /// Whether the two share a slice.
    #[must_use]
    pub fn overlaps(self, other: Self) -> bool {
        self.start < other.start.saturating_add(other.size)
            && other.start < self.start.saturating_add(self.size)
    }
}

/// Engines of a board or an instance.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Engines {
    /// Copy engines.
    pub copy: u32,
    /// Video decoders.
    pub decoder: u32,
    /// Video encoders.
    pub encoder: u32,
    /// JPEG decoders.
    pub jpeg: u32,
    /// Optical flow accelerators.
    pub ofa: u32,
}

impl Engines {
    /// Media engines are a stock that the instances share; copy engines are not.
    #[must_use]
    pub fn media(self) -> [u32; 4] {
        [self.decoder, self.encoder, self.jpeg, self.ofa]
    }
}
