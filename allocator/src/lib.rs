//! What Berth knows of a node's GPUs, as plain data: no file, no clock, no lock, no async.
//!
//! - [`ids`]: names that cannot be wrong once they exist.
//! - [`inventory`]: the GPUs and MIG devices of one node, as observed at one moment.

pub mod ids;
pub mod inventory;
