//! Why there is no spec.

use super::Mode;
use crate::{
    host::{HostSnapshot, LeftOut},
    spec::KindError,
};

/// Why there is no spec.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BuildError {
    /// There is nothing to describe.
    #[error("no device to describe: {why}; nothing is written")]
    Nothing {
        /// What was looked for and not found, or why each device was left out.
        why: String,
    },
    /// A device was asked for by an id that no device has.
    #[error("device {asked:?} is not on this host; it has {there}")]
    Unknown {
        /// The id.
        asked: String,
        /// The ids that there are.
        there: String,
    },
    /// A device was asked for that is there and does not work.
    #[error("device {asked:?} cannot be used: {why}")]
    Unusable {
        /// The id.
        asked: String,
        /// What is wrong with it, and what to do.
        why: String,
    },
    /// The chosen vendor or class can't stand in a kind.
    #[error("cannot name the devices; check --vendor and --class")]
    Kind(#[from] KindError),
}

/// The error for a spec that would have no device.
pub(super) fn nothing(mode: Mode, left_out: &[LeftOut], snapshot: &HostSnapshot) -> BuildError {
    let devices = left_out.iter().filter(|left| !left.what.starts_with('/'));
    let reasons: Vec<_> = devices.map(|left| format!("{} {}", left.what, left.why)).collect();
    let why = match (reasons.is_empty(), mode) {
        (false, _) => reasons.join(", "),
        (true, Mode::Nvml) if !snapshot.inventory.gpus.is_empty() => {
            "all gpus are in mig mode and have no instances; create some, or switch the mode off".into()
        }
        (true, Mode::Nvml) => "the driver counts no gpu".into(),
        (true, Mode::Csv) => "no list of a tegra board names a device; check --csv.file".into(),
        (true, other) => format!("mode {other} found none of its device nodes"),
    };
    BuildError::Nothing { why }
}
