//! Verified CDI specs of a node's GPUs: what a container gets when it asks for one.
//!
//! Pure, data in and data out:
//! - [`spec`]: the CDI document: model, reading, validation, lowest version, rendering.
//! - [`build`]: from a snapshot of the host to a spec, one room a mode.
//! - [`check`]: findings in the spec files of a host (its observation apart, in [`host`]).
//! - [`ldcache`]: the loader's cache, read and written.
//! - [`elf`]: name and processor of a shared library.
//!
//! Effects:
//! - [`root`]: paths below an injected root, never out of it.
//! - [`host`]: observes NVML, `/proc`, `/sys`, `/dev` and the driver's files; chooses nothing.
//! - [`store`]: replaces a spec file so that readers see the old one or the new one, never a part.
//! - [`watch`]: regenerates when the node changes.
//! - `cli`: the command line (feature `cli`).
//! - [`hook`]: what happens inside a container's root at creation.

pub mod build;
pub mod chain;
pub mod check;
#[cfg(test)]
mod children;
#[cfg(feature = "cli")]
pub mod cli;
pub mod elf;
pub mod hook;
pub mod host;
pub mod ldcache;
pub mod root;
pub mod spec;
pub mod store;
pub mod watch;
