//! Whole GPUs, and what a MIG device answers like one.

pub mod find;
pub mod identity;
pub mod memory;
pub mod mode;
