//! A simulated GPU node: a host tree under a root, and the tool that drives it.
//!
//! A node is a [`machine::Machine`], which is data. [`plan`] turns it into a [`tree::Tree`], which is data
//! too, and [`node::Node`] makes that real below a root and keeps it in step with the machine, with the
//! state of the simulated NVML, and with what is done to either.

pub mod change;
pub mod cli;
pub mod device_nodes;
pub mod driver;
pub mod enter;
pub mod layout;
pub mod machine;
pub mod node;
pub mod nvml;
pub mod plan;
pub mod procfs;
pub mod sysfs;
pub mod tree;

pub use node::{Node, NodeError, Recipe};
