//! What a GPU measures, counts and says about its board.
//!
//! Figures come from the product's data and from the GPU's [`crate::state::Telemetry`]. What a board lacks, or what was
//! never seen of it, is `NOT_SUPPORTED`; so is what NVML doesn't answer for a MIG device.

pub mod affinity;
pub mod board;
pub mod clock;
pub mod confidential;
pub mod ecc;
pub mod fabric;
pub mod field;
pub mod firmware;
pub mod nvlink;
pub mod pcie;
pub mod power;
pub mod process;
pub mod remap;
pub mod retired;
pub mod session;
pub mod thermal;
pub mod topology;
pub mod utilization;

use super::{
    code::{Answer, Code},
    node::Whole,
};
use crate::profiles::file::Baseline;

/// `nvmlDeviceArchitecture_t`, in order of age.
mod architecture {
    pub(super) const VOLTA: u32 = 5;
    pub(super) const TURING: u32 = 6;
    pub(super) const AMPERE: u32 = 7;
    pub(super) const HOPPER: u32 = 9;
}

impl<'a> Whole<'a> {
    /// Figures of one real board.
    ///
    /// # Errors
    /// `NOT_SUPPORTED` where none were seen.
    pub(super) fn baseline(self) -> Answer<&'a Baseline> {
        self.product.baseline.as_ref().ok_or(Code::NOT_SUPPORTED)
    }

    /// Whether the board is of `architecture` or later.
    ///
    /// # Errors
    /// `NOT_SUPPORTED` if it is older.
    fn since(self, architecture: u32) -> Answer {
        if self.product.architecture >= architecture { Ok(()) } else { Err(Code::NOT_SUPPORTED) }
    }
}
