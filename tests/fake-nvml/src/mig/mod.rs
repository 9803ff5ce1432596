//! MIG of one GPU: mode, GPU instances, compute instances. Data in, data out.
//!
//! Invariants, each held by the functions here:
//! - no two GPU instances share a memory slice, no two compute instances of one GPU instance share a compute slice;
//! - what [`room`] promises can be created; what it denies cannot;
//! - an instance's id is that of no other; after the last destroy all is as it was at the start.
//!
//! ```text
//!            set_mode            create_gpu_instance        create_compute_instance
//! disabled ----------> enabled ----------------------> GI -------------------------> MIG device
//!   ^  Ampere: pending, until reset                     |  destroy: IN_USE while it       |
//!   +---------- no instance left ------------------------+  holds compute instances <-----+
//! ```

mod compute;
mod error;
mod instance;
mod mode;
pub mod room;
mod uuid;

use serde::{Deserialize, Serialize};

pub use compute::{compute_profile, create_compute_instance, destroy_compute_instance, used_slices};
pub use error::MigError;
pub use instance::{create_gpu_instance, destroy_gpu_instance, profile_by_id, profile_by_number};
pub use mode::{Change, reset, set_mode};
pub use uuid::{device_uuid, gpu_uuid};

use crate::profiles::Placement;

/// The MIG side of one GPU. Empty and off on a board without MIG.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Mig {
    /// Whether the mode is on.
    pub enabled: bool,
    /// What a reset makes of it.
    pub pending: bool,
    /// GPU instances, sorted by id.
    pub instances: Vec<GpuInstance>,
}

/// A part of a GPU with memory of its own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GpuInstance {
    /// Unique on its GPU; used again after a destroy.
    pub id: u32,
    /// [`crate::profiles::GpuProfile::id`].
    pub profile: u32,
    /// Where it lies, in memory slices.
    pub placement: Placement,
    /// Compute instances, sorted by id.
    #[serde(default)]
    pub compute: Vec<ComputeInstance>,
}

/// A part of a GPU instance that runs work: a MIG device.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ComputeInstance {
    /// Unique in its GPU instance; used again after a destroy.
    pub id: u32,
    /// [`crate::profiles::ComputeProfile::id`].
    pub profile: u32,
    /// Where it lies, in compute slices of its GPU instance.
    pub placement: Placement,
    /// Process ids that run on it: while there is one it cannot be destroyed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub processes: Vec<u32>,
}

impl Mig {
    /// The GPU instance with `id`.
    #[must_use]
    pub fn instance(&self, id: u32) -> Option<&GpuInstance> {
        self.instances.iter().find(|instance| instance.id == id)
    }

    /// The compute instance `compute` of GPU instance `id`.
    #[must_use]
    pub fn compute(&self, id: u32, compute: u32) -> Option<(&GpuInstance, &ComputeInstance)> {
        let instance = self.instance(id)?;
        Some((instance, instance.compute.iter().find(|found| found.id == compute)?))
    }

    /// All MIG devices, in the order of NVML's MIG index.
    pub fn devices(&self) -> impl Iterator<Item = (&GpuInstance, &ComputeInstance)> {
        self.instances
            .iter()
            .flat_map(|instance| instance.compute.iter().map(move |compute| (instance, compute)))
    }
}
