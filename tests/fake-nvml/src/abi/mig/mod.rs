//! MIG: mode, profiles, GPU instances, compute instances, MIG devices.

pub mod compute;
pub mod compute_profile;
pub mod device;
pub mod instance;
pub mod mode;
pub mod profile;
