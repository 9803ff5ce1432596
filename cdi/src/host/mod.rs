//! Observes the host; chooses nothing.

mod snapshot;

pub use snapshot::{Capability, DriverFiles, FoundFile, HostSnapshot, Link, NodeFacts};
