//! Real runtimes, the demonstration and the benchmarks, on a simulated node.
//!
//! - [`station`]: a node with runtimes and `berth-cdi` installed, in which programs run as on a machine;
//! - [`runtime`]: containerd, by its own client and through CRI as Kubernetes does, and podman there;
//! - [`image`]: what containers are made of;
//! - [`compare`]: whether a container sees what was asked for, and nothing else;
//! - [`demo`]: what `make demo` runs;
//! - [`mod@bench`]: Berth beside NVIDIA's container toolkit, in figures, which `make bench` runs;
//! - [`measure`]: what programs cost, each run in a process that does nothing else;
//! - [`side_by_side`]: what Berth's specs and NVIDIA's say, and why they differ.

pub mod bench;
pub mod built;
pub mod compare;
pub mod demo;
pub mod files;
pub mod image;
pub mod measure;
pub mod runtime;
pub mod side_by_side;
pub mod station;
