//! Observes the host; chooses nothing.
//!
//! [`observe`] looks at what a mode of generation reads, in one pass, and gives a [`HostSnapshot`]: plain data with
//! every path and device verified, and with what had to be left out. Nothing of the host is changed.
//!
//! NVML is loaded into this process from the driver's own library, and talks to the driver through `/dev` and `/proc`
//! of this process, whatever the roots say: where the host root is not `/`, both must be there as well.

//! Without the feature `host` only the snapshot's types are here.

#![cfg_attr(feature = "host", expect(clippy::disallowed_types, reason = "the door to the driver's files"))]

mod capability;
mod snapshot;

#[cfg(feature = "host")]
mod error;
#[cfg(feature = "host")]
mod files;
#[cfg(feature = "host")]
mod nodes;
#[cfg(feature = "host")]
mod numbers;
#[cfg(feature = "host")]
mod nvml;
#[cfg(feature = "host")]
mod observe;
#[cfg(feature = "host")]
mod options;
#[cfg(feature = "host")]
mod place;
#[cfg(feature = "host")]
mod platform;
#[cfg(feature = "host")]
mod procfs;
#[cfg(feature = "host")]
mod storage;
#[cfg(feature = "host")]
mod sysfs;
#[cfg(feature = "host")]
mod tegra;
#[cfg(feature = "host")]
mod wsl;

#[cfg(feature = "host")]
pub use self::{
    error::HostError,
    nvml::NvmlError,
    observe::observe,
    options::{NVML_DEADLINE, Options, Roots, Search, Want},
};
pub use capability::{Capability, CapabilityError};
pub use snapshot::{
    DriverFiles, FoundFile, HostSnapshot, LeftOut, Link, NULL, NodeFacts, Platform, TegraFiles, WslFiles,
};

#[cfg(all(test, feature = "host"))]
mod tests;
