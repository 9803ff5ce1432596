//! The GPUs of one node at one moment.
//!
//! A GPU that could not be read stays in the inventory as [`Faulty`]: it is named, never dropped in silence, and
//! never stands in the way of the others.

mod gpu;
mod mig;

use serde::{Deserialize, Serialize};

pub use gpu::{Coherence, Gpu};
pub use mig::{MigDevice, MigMode};

/// All GPUs that NVML counts, in the order of their index.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Inventory {
    /// GPUs that answered.
    pub gpus: Vec<Gpu>,
    /// GPUs that did not.
    pub faulty: Vec<Faulty>,
}

/// A GPU that NVML counts and that did not answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Faulty {
    /// NVML's index.
    pub index: u32,
    /// What failed, for an operator: one lower-case sentence.
    pub reason: String,
}
