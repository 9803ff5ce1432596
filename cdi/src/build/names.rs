//! How devices are named.

use std::{collections::BTreeSet, fmt, str::FromStr};

use berth_allocator::inventory::{Gpu, MigDevice};

use crate::spec::DeviceName;

/// A way to name GPUs and MIG devices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Naming {
    /// `0`, `1:0`.
    Index,
    /// `gpu0`, `mig1:0`.
    TypeIndex,
    /// `GPU-...`, `MIG-...`.
    Uuid,
}

/// Why a string is no way to name devices.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("device name strategy {0:?} is not one of index, type-index and uuid")]
pub struct NamingError(String);

impl FromStr for Naming {
    type Err = NamingError;

    fn from_str(text: &str) -> Result<Self, NamingError> {
        match text {
            "index" => Ok(Self::Index),
            "type-index" => Ok(Self::TypeIndex),
            "uuid" => Ok(Self::Uuid),
            other => Err(NamingError(other.into())),
        }
    }
}

impl fmt::Display for Naming {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Index => "index",
            Self::TypeIndex => "type-index",
            Self::Uuid => "uuid",
        })
    }
}

/// Names of a whole GPU.
pub(super) fn of_gpu(gpu: &Gpu, naming: &[Naming]) -> Vec<DeviceName> {
    names(naming, |naming| match naming {
        Naming::Index => gpu.index.to_string(),
        Naming::TypeIndex => format!("gpu{}", gpu.index),
        Naming::Uuid => gpu.uuid.to_string(),
    })
}

/// Names of a MIG device of `gpu`.
pub(super) fn of_mig(gpu: &Gpu, mig: &MigDevice, naming: &[Naming]) -> Vec<DeviceName> {
    names(naming, |naming| match naming {
        Naming::Index => format!("{}:{}", gpu.index, mig.index),
        Naming::TypeIndex => format!("mig{}:{}", gpu.index, mig.index),
        Naming::Uuid => mig.uuid.to_string(),
    })
}

/// All of these follow CDI's grammar: digits, `:` and UUIDs.
fn names(naming: &[Naming], name: impl Fn(Naming) -> String) -> Vec<DeviceName> {
    let once: BTreeSet<Naming> = naming.iter().copied().collect();
    once.into_iter().filter_map(|naming| name(naming).parse().ok()).collect()
}
