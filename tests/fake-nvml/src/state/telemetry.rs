//! What a GPU measures and counts: changes while it works, and can be set by a test.

use serde::{Deserialize, Serialize};

/// What a GPU measures and counts. The start is an idle board.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Telemetry {
    /// Of the chip, in degrees Celsius.
    pub temperature_c: u32,
    /// Drawn now, in mW.
    pub power_mw: u32,
    /// Limit that was set, in mW; else the board's own.
    pub power_limit_mw: Option<u32>,
    /// Used so far, in mJ.
    pub energy_mj: u64,
    /// 0 (fastest) to 15.
    pub performance_state: u32,
    /// `nvmlClocksEventReasons` bits: 1 is idle.
    pub clock_reasons: u64,
    /// Clocks that were set: memory, graphics, in MHz.
    pub application_clocks: Option<(u32, u32)>,
    /// Share of time at work, in percent.
    pub utilization: Utilization,
    /// Memory errors.
    pub ecc_errors: EccErrors,
    /// Rows that were replaced (Ampere and later).
    pub remapped_rows: RemappedRows,
    /// Packets that PCIe sent again.
    pub pcie_replays: u32,
    /// Whether the `NVLink` links are down.
    pub nvlink_down: bool,
}

impl Default for Telemetry {
    fn default() -> Self {
        Self {
            temperature_c: 31,
            power_mw: 62_000,
            power_limit_mw: None,
            energy_mj: 1_000_000,
            performance_state: 0,
            clock_reasons: 1,
            application_clocks: None,
            utilization: Utilization::default(),
            ecc_errors: EccErrors::default(),
            remapped_rows: RemappedRows::default(),
            pcie_replays: 0,
            nvlink_down: false,
        }
    }
}

impl Telemetry {
    /// What a reset does: errors are counted anew, a row that waited is replaced.
    pub(super) fn reset(&mut self) {
        for counts in [&mut self.ecc_errors.dram, &mut self.ecc_errors.sram] {
            *counts = EccCounts { volatile_corrected: 0, volatile_uncorrected: 0, ..*counts };
        }
        self.remapped_rows.pending = false;
        self.application_clocks = None;
        self.power_limit_mw = None;
    }
}

/// Share of time at work, in percent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Utilization {
    /// Kernels.
    pub gpu: u32,
    /// Memory.
    pub memory: u32,
    /// Video encoder.
    pub encoder: u32,
    /// Video decoder.
    pub decoder: u32,
}

/// Memory errors by place.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EccErrors {
    /// Memory of the board.
    pub dram: EccCounts,
    /// Caches and registers.
    pub sram: EccCounts,
}

impl EccErrors {
    /// Corrected since the driver was loaded.
    #[must_use]
    pub fn corrected(&self) -> u64 {
        self.dram.volatile_corrected + self.sram.volatile_corrected
    }

    /// Not corrected since the driver was loaded.
    #[must_use]
    pub fn uncorrected(&self) -> u64 {
        self.dram.volatile_uncorrected + self.sram.volatile_uncorrected
    }
}

/// Memory errors of one place.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EccCounts {
    /// Corrected since the driver was loaded.
    pub volatile_corrected: u64,
    /// Not corrected since the driver was loaded.
    pub volatile_uncorrected: u64,
    /// Corrected in the board's life.
    pub aggregate_corrected: u64,
    /// Not corrected in the board's life.
    pub aggregate_uncorrected: u64,
}

/// Rows of memory that were replaced by spare ones.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RemappedRows {
    /// After corrected errors.
    pub correctable: u32,
    /// After an uncorrected error.
    pub uncorrectable: u32,
    /// One waits for a reset.
    pub pending: bool,
    /// There was no spare row.
    pub failure: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reset_counts_anew_and_keeps_the_boards_life() {
        let counts = EccCounts { volatile_corrected: 3, aggregate_corrected: 9, ..EccCounts::default() };
        let mut telemetry = Telemetry {
            ecc_errors: EccErrors { dram: counts, ..EccErrors::default() },
            remapped_rows: RemappedRows { correctable: 1, pending: true, ..RemappedRows::default() },
            ..Telemetry::default()
        };
        telemetry.reset();
        assert_eq!((telemetry.ecc_errors.corrected(), telemetry.ecc_errors.dram.aggregate_corrected), (0, 9));
        assert_eq!((telemetry.remapped_rows.correctable, telemetry.remapped_rows.pending), (1, false));
    }
}
