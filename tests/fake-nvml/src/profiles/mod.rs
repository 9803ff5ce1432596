//! What a product is: the numbers that NVML answers for one kind of board.
//!
//! The data files below `data/products/` say where each number was seen. [`find`] turns one into a [`Product`], in
//! which nothing is missing that a MIG-capable board must answer: a number that no source gives is worked out from
//! the rest of its file (see [`mod@file`]). A node's state holds only the products that it uses, so that loading the
//! library never reads the catalogue.

mod catalog;
pub mod file;
mod fill;
mod layout;

use serde::{Deserialize, Serialize};

pub use catalog::{PRODUCTS, ProductError, find};
pub use layout::{ComputeProfile, Engines, GpuProfile, MigLayout, Placement};

/// One kind of board.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Product {
    /// What NVML calls it, such as `NVIDIA H200`.
    pub name: String,
    /// `nvmlBrandType_t`.
    pub brand: u32,
    /// `nvmlDeviceArchitecture_t`: 7 Ampere, 9 Hopper, 10 Blackwell.
    pub architecture: u32,
    /// The chip's name, such as `GH100`.
    pub chip: String,
    /// CUDA compute capability, major and minor.
    pub compute_capability: (u32, u32),
    /// PCI device id in the upper half, vendor in the lower, as NVML lays it out.
    pub pci_device_id: u32,
    /// PCI subsystem id, laid out alike.
    pub pci_subsystem_id: u32,
    /// PCI base class and subclass: `0x0300` with display outputs, `0x0302` without.
    pub pci_class: u32,
    /// Memory, in MiB.
    pub memory_mib: u64,
    /// Size of BAR1, in MiB, where one was seen.
    pub bar1_mib: Option<u64>,
    /// Multiprocessors of the whole board.
    pub multiprocessors: u32,
    /// Engines of the whole board, where known.
    pub engines: Option<Engines>,
    /// How the memory is addressed, where the driver tells.
    pub addressing_mode: Option<AddressingMode>,
    /// Whether the board hangs on its processor by a coherent link.
    pub coherent: bool,
    /// Whether ECC is on from the start; `None` where the board has none to show.
    pub ecc: Option<bool>,
    /// `NVLink` links; 0 where none were seen.
    pub nvlink_links: u32,
    /// Whether the board belongs to a fabric of `NVLink` switches.
    pub fabric: bool,
    /// Figures of one real board.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline: Option<file::Baseline>,
    /// How the board is cut into instances; `None` for a board without MIG.
    pub mig: Option<MigLayout>,
}

/// How a GPU's memory is addressed (`nvmlDeviceGetAddressingMode`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AddressingMode {
    /// Neither of the others.
    None,
    /// Heterogeneous memory management by the kernel.
    Hmm,
    /// Address translation services: Grace boards.
    Ats,
}
