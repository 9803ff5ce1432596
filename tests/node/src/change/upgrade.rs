//! An upgrade of the driver, in the order in which a package manager and an administrator do it.
//!
//! ```text
//! old files, old module --unpacked--> old and new files, links to the old
//!                       --linked----> new files alone; NVML and module differ, so NVML refuses
//!                       --loaded----> new module
//! ```

use std::{fmt, str::FromStr};

use super::driver;
use crate::{
    machine::DriverVersion,
    node::{DriverSource, Node, NodeError},
};

/// How far an upgrade goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// The new files lie beside the old ones.
    Unpacked,
    /// Links lead to the new files, and the old ones are gone.
    Linked,
    /// The new kernel module is loaded.
    Loaded,
}

impl fmt::Display for Stage {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Unpacked => "unpacked",
            Self::Linked => "linked",
            Self::Loaded => "loaded",
        })
    }
}

/// A name that is no stage.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("stage {0:?} is not one of unpacked, linked, loaded")]
pub struct UnknownStage(String);

impl FromStr for Stage {
    type Err = UnknownStage;

    fn from_str(name: &str) -> Result<Self, UnknownStage> {
        match name {
            "unpacked" => Ok(Self::Unpacked),
            "linked" => Ok(Self::Linked),
            "loaded" => Ok(Self::Loaded),
            _ => Err(UnknownStage(name.into())),
        }
    }
}

/// Upgrades (or downgrades) the node to the driver of `source`, and stops at `last`. Called again with a
/// later stage it goes on from there.
///
/// # Errors
/// [`NodeError`]; the node stays at the stage that it reached.
pub fn upgrade(node: &mut Node, source: &DriverSource, last: Stage) -> Result<DriverVersion, NodeError> {
    let version = node.add_driver(source)?.version;
    if node.machine().userland != version {
        node.change(|machine| machine.unpacked = Some(version.clone()))?;
    }
    if last >= Stage::Linked {
        link(node, &version)?;
    }
    if last == Stage::Loaded && node.machine().kernel.as_ref() != Some(&version) {
        driver::reload(node, None)?;
    }
    Ok(version)
}

fn link(node: &mut Node, version: &DriverVersion) -> Result<(), NodeError> {
    node.change(|machine| {
        machine.userland = version.clone();
        machine.unpacked = None;
    })?;
    let mismatch = node.machine().kernel.as_ref().is_some_and(|kernel| kernel != version);
    node.edit(|state| state.faults.version_mismatch = mismatch)
}
