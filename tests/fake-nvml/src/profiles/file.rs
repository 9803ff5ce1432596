//! The form of the data files: what was seen, with `null` for what was not.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{AddressingMode, Placement};

/// A file of `data/products/`. Fields that say where a number comes from are for readers of the file alone.
#[derive(Debug, Clone, Deserialize)]
pub struct ProductFile {
    pub(super) name: String,
    pub(super) brand: Numbered,
    pub(super) architecture: Numbered,
    pub(super) chip: String,
    pub(super) cuda_compute_capability: String,
    pub(super) pci: Pci,
    pub(super) memory: Memory,
    pub(super) multiprocessors: u32,
    pub(super) engines_full_gpu: Option<SeenEngines>,
    #[serde(deserialize_with = "super::fill::addressing_mode")]
    pub(super) addressing_mode: Option<AddressingMode>,
    pub(super) coherent_c2c: bool,
    pub(super) ecc: Option<bool>,
    pub(super) nvlink_links: Option<u32>,
    pub(super) fabric_state: Option<String>,
    pub(super) mig: MigFile,
    #[serde(default)]
    pub(super) baseline: Option<Baseline>,
}

#[derive(Debug, Clone, Deserialize)]
pub(super) struct Numbered {
    pub(super) number: u32,
}

#[derive(Debug, Clone, Deserialize)]
pub(super) struct Pci {
    pub(super) nvml_pci_device_id: String,
    pub(super) nvml_pci_subsystem_ids: Vec<String>,
    pub(super) class: String,
}

#[derive(Debug, Clone, Deserialize)]
pub(super) struct Memory {
    pub(super) total_mib: u64,
    pub(super) bar1_mib: Option<u64>,
}

#[derive(Debug, Clone, Copy, Default, Deserialize)]
pub(super) struct SeenEngines {
    pub(super) copy: Option<u32>,
    pub(super) decoder: Option<u32>,
    pub(super) encoder: Option<u32>,
    pub(super) jpeg: Option<u32>,
    pub(super) ofa: Option<u32>,
}

#[derive(Debug, Clone, Deserialize)]
pub(super) struct MigFile {
    pub(super) capable: bool,
    pub(super) max_devices: u32,
    #[serde(default)]
    pub(super) memory_slices: u32,
    #[serde(default)]
    pub(super) mode_change_needs_gpu_reset: bool,
    #[serde(default)]
    pub(super) instance_ids_by_memory_slices: BTreeMap<u32, Vec<u32>>,
    #[serde(default)]
    pub(super) gpu_instance_profiles: Vec<GpuRow>,
}

#[derive(Debug, Clone, Deserialize)]
pub(super) struct GpuRow {
    pub(super) enum_number: u32,
    pub(super) profile_id: u32,
    pub(super) name: String,
    pub(super) slice_count: u32,
    pub(super) memory_slices: u32,
    pub(super) max_instances: u32,
    pub(super) memory_mb: Option<u64>,
    pub(super) multiprocessors: Option<u32>,
    #[serde(default)]
    pub(super) engines: Option<SeenEngines>,
    #[serde(default)]
    pub(super) capabilities: Vec<String>,
    pub(super) placements: Vec<Placement>,
    #[serde(default)]
    pub(super) compute_instance_profiles: Vec<ComputeRow>,
}

#[derive(Debug, Clone, Deserialize)]
pub(super) struct ComputeRow {
    pub(super) profile_id: u32,
    pub(super) name: Option<String>,
    pub(super) slice_count: u32,
    pub(super) max_instances: u32,
    pub(super) multiprocessors: Option<u32>,
    pub(super) placements: Option<Vec<Placement>>,
}

/// Figures of one real board, as far as they were seen.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Baseline {
    /// Power limits, in W.
    pub power_limit_w: Option<PowerLimits>,
    /// Highest clocks, in MHz.
    pub max_clock_mhz: Option<Clocks>,
    /// Highest PCIe generation.
    pub pcie_max_gen: Option<u32>,
    /// Most PCIe lanes.
    pub pcie_max_width: Option<u32>,
    /// Version of the video BIOS.
    pub vbios: Option<String>,
    /// Part number of the GPU.
    pub gpu_part_number: Option<String>,
    /// Part number of the board.
    pub board_part_number: Option<String>,
    /// Banks that row remapping watches.
    pub row_remap_banks: Option<u32>,
    /// Memory that the driver keeps, in MiB.
    pub memory_reserved_mib: Option<u64>,
    /// Temperature thresholds.
    pub temperature_thresholds_c: Option<TemperatureThresholds>,
}

/// Power limits, in W.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PowerLimits {
    /// In force after a reset.
    pub default: u32,
    /// Lowest that can be set.
    pub min: Option<u32>,
    /// Highest that can be set.
    pub max: Option<u32>,
}

/// Highest clocks, in MHz.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Clocks {
    /// Graphics.
    pub graphics: Option<u32>,
    /// Multiprocessors.
    pub sm: Option<u32>,
    /// Memory.
    pub memory: Option<u32>,
    /// Video.
    pub video: Option<u32>,
}

/// Temperature thresholds, in degrees Celsius.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TemperatureThresholds {
    /// `absolute`, or `t.limit`: distance from the limit.
    pub kind: String,
    /// The board shuts down.
    pub shutdown: Option<i32>,
    /// The board slows down.
    pub slowdown: Option<i32>,
    /// Highest for work.
    pub max_operating: Option<i32>,
}
