//! Which devices are described.

use std::{collections::BTreeSet, fmt, str::FromStr};

use berth_allocator::{
    ids::{GpuUuid, MigUuid},
    inventory::{Gpu, Inventory, MigDevice, MigMode},
};

use super::BuildError;

/// How an operator points at a device.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum DeviceId {
    /// Every device: `all`.
    All,
    /// A device that gives nothing of its own, beside the driver's files: `none`.
    None,
    /// A GPU by index, with all its MIG devices if it has some: `0`.
    Gpu(u32),
    /// A MIG device by both indices: `0:1`.
    Mig(u32, u32),
    /// A channel of IMEX by its node's name: `channel0`; the number alone will do.
    Channel(u32),
    /// A GPU by UUID.
    GpuUuid(GpuUuid),
    /// A MIG device by UUID.
    MigUuid(MigUuid),
}

/// Why a string points at no device.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "device id {0:?} is not an index (0), a pair of indices (0:1), a uuid (GPU-..., MIG-...), a channel (channel0), \
     all or none"
)]
pub struct DeviceIdError(String);

impl FromStr for DeviceId {
    type Err = DeviceIdError;

    fn from_str(text: &str) -> Result<Self, DeviceIdError> {
        let index = |digits: &str| digits.parse::<u32>().ok().filter(|_| !digits.starts_with('+'));
        let pair = || {
            let (gpu, mig) = text.split_once(':')?;
            Some(Self::Mig(index(gpu)?, index(mig)?))
        };
        let word = match text {
            "all" => Some(Self::All),
            "none" => Some(Self::None),
            _ => None,
        };
        word.or_else(|| index(text).map(Self::Gpu))
            .or_else(pair)
            .or_else(|| text.strip_prefix("channel").and_then(index).map(Self::Channel))
            .or_else(|| text.parse().ok().map(Self::GpuUuid))
            .or_else(|| text.parse().ok().map(Self::MigUuid))
            .ok_or_else(|| DeviceIdError(text.into()))
    }
}

impl fmt::Display for DeviceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => f.write_str("all"),
            Self::None => f.write_str("none"),
            Self::Gpu(index) => write!(f, "{index}"),
            Self::Mig(gpu, mig) => write!(f, "{gpu}:{mig}"),
            Self::Channel(number) => write!(f, "channel{number}"),
            Self::GpuUuid(uuid) => write!(f, "{uuid}"),
            Self::MigUuid(uuid) => write!(f, "{uuid}"),
        }
    }
}

impl DeviceId {
    fn is_gpu(&self, gpu: &Gpu) -> bool {
        match self {
            Self::All => true,
            Self::Gpu(index) => *index == gpu.index,
            Self::GpuUuid(uuid) => *uuid == gpu.uuid,
            Self::None | Self::Mig(..) | Self::Channel(_) | Self::MigUuid(_) => false,
        }
    }

    fn is_mig(&self, gpu: &Gpu, mig: &MigDevice) -> bool {
        match self {
            Self::Mig(parent, index) => (*parent, *index) == (gpu.index, mig.index),
            Self::MigUuid(uuid) => *uuid == mig.uuid,
            Self::All | Self::None | Self::Gpu(_) | Self::Channel(_) | Self::GpuUuid(_) => self.is_gpu(gpu),
        }
    }
}

/// Whether the whole of `gpu` is described; everything is when nothing was chosen.
pub(super) fn wants_gpu(only: &[DeviceId], gpu: &Gpu) -> bool {
    only.is_empty() || only.iter().any(|id| id.is_gpu(gpu))
}

/// Whether `mig` of `gpu` is described.
pub(super) fn wants_mig(only: &[DeviceId], gpu: &Gpu, mig: &MigDevice) -> bool {
    only.is_empty() || only.iter().any(|id| id.is_mig(gpu, mig))
}

/// Checks that every chosen id is `known`; `there` says what could have been chosen.
///
/// # Errors
/// [`BuildError::Unknown`] for the first that isn't.
pub(super) fn only_known(
    only: &[DeviceId],
    known: impl Fn(&DeviceId) -> bool,
    there: impl FnOnce() -> String,
) -> Result<(), BuildError> {
    match only.iter().find(|id| !known(id)) {
        Some(id) => Err(BuildError::Unknown { asked: id.to_string(), there: there() }),
        None => Ok(()),
    }
}

/// Checks that every chosen device is there.
///
/// # Errors
/// For the first that isn't: [`BuildError::Unusable`] if it is one that does not answer, else [`BuildError::Unknown`].
pub(super) fn all_known(only: &[DeviceId], inventory: &Inventory) -> Result<(), BuildError> {
    let known = |id: &&DeviceId| {
        let mut gpus = inventory.gpus.iter();
        matches!(id, DeviceId::All | DeviceId::None)
            || gpus.any(|gpu| id.is_gpu(gpu) || gpu.mig_devices.iter().any(|mig| id.is_mig(gpu, mig)))
    };
    let Some(id) = only.iter().find(|id| !known(id)) else { return Ok(()) };
    match inventory.faulty.iter().find(|faulty| *id == DeviceId::Gpu(faulty.index)) {
        Some(faulty) => Err(BuildError::Unusable { asked: id.to_string(), why: faulty.reason.clone() }),
        None => Err(BuildError::Unknown { asked: id.to_string(), there: there(inventory) }),
    }
}

fn there(inventory: &Inventory) -> String {
    let of_gpu = |gpu: &Gpu| match gpu.mig_mode {
        MigMode::Enabled => {
            gpu.mig_devices.iter().map(|mig| format!("{}:{}", gpu.index, mig.index)).collect()
        }
        MigMode::Disabled | MigMode::Unsupported => vec![gpu.index.to_string()],
    };
    let ids: BTreeSet<String> = inventory.gpus.iter().flat_map(of_gpu).collect();
    if ids.is_empty() { "none".into() } else { ids.into_iter().collect::<Vec<_>>().join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_form_is_read_and_shown() {
        let uuid = "8e0cc3a4-0b1c-4d5e-9f60-112233445566";
        for text in ["channel7", "all", "0", "15", "0:1", &format!("GPU-{uuid}"), &format!("MIG-{uuid}")] {
            assert_eq!(text.parse::<DeviceId>().expect("an id").to_string(), text);
        }
    }

    #[test]
    fn anything_else_is_refused() {
        for text in
            ["", "channel", "channel+1", "-1", "+1", "0:", ":0", "0:1:2", "gpu0", "GPU-x", "4294967296"]
        {
            assert_eq!(text.parse::<DeviceId>(), Err(DeviceIdError(text.into())));
        }
    }
}
