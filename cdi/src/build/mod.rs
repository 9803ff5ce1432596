//! From a snapshot of the host to a spec: one room a mode, and what the modes share.
//!
//! Pure. Everything emitted stands in the snapshot, so it was seen to exist. Invariants:
//! - half a device is no device: a GPU without its node or a MIG device without its capability nodes is left out and
//!   named, and the others stay;
//! - a spec without devices is an error, never an empty file;
//! - there is one hook at most, in the common edits, and it always carries its own environment;
//! - equal snapshots and choices give equal bytes.

mod choices;
mod coherent;
mod csv;
mod edits;
mod error;
mod families;
mod full;
mod hook;
mod imex;
mod management;
mod mig;
mod mode;
mod names;
mod nvml;
mod select;
mod wsl;

use std::collections::BTreeMap;

pub use choices::{Choices, CompatRoot, HookChoices, Node};
pub use coherent::{Coherent, coherent};
pub use error::BuildError;
pub use hook::{DEFAULT_HOOK, HookPart, HookPartError};
pub use mode::{Mode, ModeError};
pub use names::{Naming, NamingError};
pub use select::{DeviceId, DeviceIdError};

use crate::{
    host::{HostSnapshot, LeftOut},
    spec::{ContainerEdits, Device, DeviceName, Kind, Spec, Version, required_version},
};

/// A spec, and what is not in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Built {
    /// The spec: valid, simplified, at the lowest version that its content needs.
    pub spec: Spec,
    /// What was left out, and why; what the snapshot left out first.
    pub left_out: Vec<LeftOut>,
}

/// Devices and common edits, before they are a document.
#[derive(Debug, Default)]
struct Parts {
    devices: Vec<Device>,
    common: ContainerEdits,
    left_out: Vec<LeftOut>,
}

/// The spec that `mode` makes of `snapshot`.
///
/// # Errors
/// [`BuildError`] when nothing would be described, or what was chosen isn't there.
pub fn build(mode: Mode, snapshot: &HostSnapshot, choices: &Choices) -> Result<Built, BuildError> {
    let mut parts = match mode {
        Mode::Nvml => nvml::parts(snapshot, choices)?,
        Mode::Management => management::parts(snapshot, choices)?,
        Mode::Csv => csv::parts(snapshot, choices)?,
        Mode::Wsl => wsl::parts(snapshot, choices)?,
        Mode::Imex => imex::parts(snapshot, choices)?,
        Mode::Gds | Mode::Mofed | Mode::Nvswitch | Mode::Gdrcopy => families::parts(mode, snapshot, choices)?,
    };
    let kind = choices.kind_for(mode)?;
    if choices.only.contains(&DeviceId::None) {
        parts.devices = NONE.parse().ok().map(|name| device(name, nothing())).into_iter().collect();
    }
    if parts.devices.is_empty() {
        return Err(error::nothing(mode, &parts.left_out, snapshot));
    }
    Ok(document(kind, parts, choices, snapshot))
}

fn document(kind: Kind, parts: Parts, choices: &Choices, snapshot: &HostSnapshot) -> Built {
    let Parts { devices, common, left_out } = parts;
    let mut spec = Spec {
        cdi_version: Version::V0_3_0,
        kind,
        annotations: BTreeMap::new(),
        devices,
        container_edits: common,
    };
    let none = choices.only.contains(&DeviceId::None);
    if choices.all && !none {
        spec.devices.extend(all(&spec));
    }
    spec.simplify();
    spec.cdi_version = required_version(&spec);
    Built { spec, left_out: [snapshot.left_out.clone(), left_out].concat() }
}

/// The device that holds all others, unless one bears its name already.
fn all(spec: &Spec) -> Option<Device> {
    let name: DeviceName = ALL.parse().ok()?;
    let taken = spec.devices.iter().any(|device| device.name == name);
    (!taken).then(|| spec.merged(name))
}

/// Name of the device that holds all others.
const ALL: &str = "all";

/// Name of the device that gives nothing of its own.
const NONE: &str = "none";

/// CDI knows no device without an edit: the variable is that of NVIDIA's toolkit.
fn nothing() -> ContainerEdits {
    ContainerEdits { env: vec!["NVCT_EMPTY_DEVICE=".into()], ..ContainerEdits::default() }
}

fn device(name: DeviceName, container_edits: ContainerEdits) -> Device {
    Device { name, annotations: BTreeMap::new(), container_edits }
}

#[cfg(test)]
mod tests;
