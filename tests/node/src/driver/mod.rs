//! The driver's files on disk: where each comes from, and where a distribution puts it.

pub mod alternatives;
mod elf;
pub mod fetch;
mod file;
pub mod nvml_library;
pub mod packages;
mod place;
pub mod stand_in;

pub use self::{
    elf::{Machine as ElfMachine, shared_object},
    file::{DriverFile, DriverFileKind},
    place::{Flat, Places, flat},
};
