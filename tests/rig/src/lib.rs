//! Real runtimes, the demonstration and the benchmarks, on a simulated node.
//!
//! - [`station`]: a node with runtimes and `berth-cdi` installed, in which programs run as on a machine;
//! - [`runtime`]: containerd and podman there;
//! - [`image`]: what containers are made of;
//! - [`compare`]: whether a container sees what was asked for, and nothing else;
//! - [`demo`] and [`bench`]: what `make demo` and `make bench` run.

pub mod bench;
pub mod built;
pub mod compare;
pub mod demo;
pub mod files;
pub mod image;
pub mod runtime;
pub mod station;
