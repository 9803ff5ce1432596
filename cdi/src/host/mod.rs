//! Observes the host; chooses nothing.
//!
//! [`observe`] looks at what a mode of generation reads, in one pass, and gives a [`HostSnapshot`]: plain data with
//! every path and device verified, and with what had to be left out. Nothing of the host is changed.
//!
//! NVML is loaded into this process from the driver's own library, and talks to the driver through `/dev` and `/proc`
//! of this process, whatever the roots say: where the host root is not `/`, both must be there as well.

#![expect(clippy::disallowed_types, reason = "the door to the driver's files")]

mod error;
mod files;
mod nodes;
mod nvml;
mod observe;
mod options;
mod place;
mod platform;
mod procfs;
mod snapshot;
mod sysfs;

pub use error::HostError;
pub use nvml::NvmlError;
pub use observe::observe;
pub use options::{NVML_DEADLINE, Options, Roots, Search, Want};
pub use snapshot::{
    Capability, DriverFiles, FoundFile, HostSnapshot, LeftOut, Link, NodeFacts, Platform, TegraFiles,
    WslFiles,
};
