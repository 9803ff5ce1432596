//! The CDI document: model, reading, validation, lowest version, rendering.
//!
//! Pure. A [`Spec`] that was read holds only ids that follow CDI's grammar; whether the rest of it follows CDI's
//! rules says [`validate`]; whether it is true on this host is not asked here.

mod annotations;
mod device_name;
mod edits;
mod format;
mod kind;
mod model;
mod parse;
mod render;
mod simplify;
mod validate;
mod version;

pub use device_name::{DeviceName, DeviceNameError};
pub use format::Format;
pub use kind::{Kind, KindError};
pub use model::{
    ContainerEdits, Device, DeviceNode, Hook, HookName, IntelRdt, Mount, NetDevice, NodeKind, Spec,
};
pub use parse::{MAX_BYTES, MAX_DEPTH, SpecError};
pub use validate::{Fault, Rule, faults, validate};
pub use version::{Version, VersionError, required_version};

#[cfg(test)]
pub(crate) mod samples;
#[cfg(test)]
mod tests;
