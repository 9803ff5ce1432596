//! The simulated NVML's state of a node: made from the machine, and looked at for what changes it.

mod mig;
mod state;

pub(crate) use self::state::cuda;
pub use self::{
    mig::{InstanceRequest, MigChange, MigRefusal, change},
    state::{config, gpu_config, instances},
};

/// The folder of the state in a node's root.
pub const FOLDER: &str = ".berth-node/nvml";
