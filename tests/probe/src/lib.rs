//! What a container sees, told from within.
//!
//! The program `berth-probe` runs as a container's only process, static and without arguments of its own image,
//! and writes a [`Report`] to its standard output; who started it compares that with what was asked for.

mod look;
mod report;

pub use self::{
    look::look,
    report::{DeviceNode, Link, Mount, Opened, Report},
};
