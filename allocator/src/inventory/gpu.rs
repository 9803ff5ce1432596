//! One physical GPU.

use serde::{Deserialize, Serialize};

use super::mig::{MigDevice, MigMode};
use crate::ids::{GpuUuid, PciAddress};

/// A GPU that answered all that was asked of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gpu {
    /// NVML's index: order of PCI addresses, changes when a GPU is lost.
    pub index: u32,
    /// Minor number: `/dev/nvidia<minor>`; need not equal the index.
    pub minor: u32,
    /// Lasts as long as the board.
    pub uuid: GpuUuid,
    /// Product name, such as `NVIDIA H200`.
    pub name: String,
    /// Where it sits.
    pub pci: PciAddress,
    /// Whether it is one GPU or cut into instances.
    pub mig_mode: MigMode,
    /// MIG devices in the order of NVML's MIG index; empty unless the mode is [`MigMode::Enabled`].
    pub mig_devices: Vec<MigDevice>,
    /// Whether its memory is part of the system's (Grace boards).
    pub coherence: Coherence,
    /// Names of its DRM nodes below `/dev/dri`, such as `card1` and `renderD129`, sorted.
    pub drm_nodes: Vec<String>,
}

/// How the GPU's memory is addressed (`nvmlDeviceGetAddressingMode`).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Coherence {
    /// By address translation services: coherent with the processor.
    Coherent,
    /// Anything else.
    NonCoherent,
    /// The driver does not tell.
    #[default]
    Unknown,
}
