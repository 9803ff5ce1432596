//! What a node may have besides GPUs and their driver.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

/// One thing that a node may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Feature {
    /// 32-bit libraries beside the 64-bit ones.
    Compat32,
    /// RDMA adapters (MOFED).
    Mofed,
    /// GPU direct storage.
    Gds,
    /// GPU direct copy.
    Gdrcopy,
    /// NVLink switches.
    Nvswitch,
    /// IMEX channels, and the management capability of the fabric.
    Imex,
    /// The persistence daemon's socket.
    Persistenced,
    /// The fabric manager's socket.
    Fabricmanager,
    /// The folder of MPS's pipes.
    Mps,
    /// IOMMU groups.
    Iommu,
}

/// A name that is no feature.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{name:?} is not one of {known}", known = known())]
pub struct UnknownFeature {
    name: String,
}

impl Feature {
    /// All of them, with their names.
    pub const ALL: [(Self, &'static str); 10] = [
        (Self::Compat32, "compat32"),
        (Self::Mofed, "mofed"),
        (Self::Gds, "gds"),
        (Self::Gdrcopy, "gdrcopy"),
        (Self::Nvswitch, "nvswitch"),
        (Self::Imex, "imex"),
        (Self::Persistenced, "persistenced"),
        (Self::Fabricmanager, "fabricmanager"),
        (Self::Mps, "mps"),
        (Self::Iommu, "iommu"),
    ];
}

fn known() -> String {
    Feature::ALL.map(|(_, name)| name).join(", ")
}

impl FromStr for Feature {
    type Err = UnknownFeature;

    fn from_str(name: &str) -> Result<Self, UnknownFeature> {
        let found = Self::ALL.iter().find(|(_, known)| *known == name);
        found.map(|(feature, _)| *feature).ok_or_else(|| UnknownFeature { name: name.into() })
    }
}

impl fmt::Display for Feature {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let found = Self::ALL.iter().find(|(feature, _)| feature == self);
        out.write_str(found.map_or("", |(_, name)| name))
    }
}
