//! What is described: GPUs, or another family of devices.

use std::{fmt, str::FromStr};

use berth_allocator::inventory::Inventory;

use super::csv;
use crate::host::{HostSnapshot, Platform};

/// A mode of generation, under the name that NVIDIA's toolkit gives it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mode {
    /// GPUs and MIG devices, by NVML.
    Nvml,
    /// All nodes of the driver, for programs that manage GPUs.
    Management,
    /// GPUs of a Tegra board, by the board's lists.
    Csv,
    /// The GPUs of a Linux below Windows.
    Wsl,
    /// Channels of IMEX.
    Imex,
    /// GPUDirect Storage.
    Gds,
    /// InfiniBand.
    Mofed,
    /// NVSwitches.
    Nvswitch,
    /// GDRCopy.
    Gdrcopy,
}

/// Why a string is no mode.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("mode {0:?} is not one of auto, nvml, management, imex, gds, mofed, nvswitch, gdrcopy, csv and wsl")]
pub struct ModeError(String);

const NAMES: [(Mode, &str); 9] = [
    (Mode::Nvml, "nvml"),
    (Mode::Management, "management"),
    (Mode::Csv, "csv"),
    (Mode::Wsl, "wsl"),
    (Mode::Imex, "imex"),
    (Mode::Gds, "gds"),
    (Mode::Mofed, "mofed"),
    (Mode::Nvswitch, "nvswitch"),
    (Mode::Gdrcopy, "gdrcopy"),
];

impl Mode {
    /// The mode that fits the machine, in the order of NVIDIA's toolkit: WSL, Tegra, else NVML.
    ///
    /// A Tegra board whose GPUs are all discrete ones (IGX in its dGPU mode) is described by NVML: the board's lists
    /// are of the integrated GPU.
    #[must_use]
    pub fn of(snapshot: &HostSnapshot) -> Self {
        let Inventory { gpus, faulty } = &snapshot.inventory;
        // One that does not answer may be the integrated one.
        let discrete = !gpus.is_empty() && faulty.is_empty() && !gpus.iter().any(csv::is_integrated);
        match snapshot.platform {
            Platform { wsl: true, .. } => Self::Wsl,
            Platform { tegra: true, .. } if !discrete => Self::Csv,
            Platform { .. } => Self::Nvml,
        }
    }

    /// Vendor and class of its devices, when nothing else is asked for.
    ///
    /// These are the defaults of the toolkit's library. Its command line gives `nvidia.com/gpu` in every mode, so that
    /// a second spec clashes with that of the GPUs.
    #[must_use]
    pub fn default_kind(self) -> (&'static str, &'static str) {
        match self {
            Self::Nvml | Self::Csv | Self::Wsl => ("nvidia.com", "gpu"),
            Self::Management => ("management.nvidia.com", "gpu"),
            Self::Imex => ("nvidia.com", "imex-channel"),
            Self::Gds => ("nvidia.com", "gds"),
            Self::Mofed => ("nvidia.com", "mofed"),
            Self::Nvswitch => ("nvidia.com", "nvswitch"),
            Self::Gdrcopy => ("nvidia.com", "gdrcopy"),
        }
    }
}

impl FromStr for Mode {
    type Err = ModeError;

    fn from_str(text: &str) -> Result<Self, ModeError> {
        let found = NAMES.iter().find(|(_, name)| *name == text).map(|(mode, _)| *mode);
        found.ok_or_else(|| ModeError(text.into()))
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = NAMES.iter().find(|(mode, _)| mode == self).map_or("", |(_, name)| *name);
        f.write_str(name)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use berth_allocator::inventory::{Coherence, Faulty, Gpu, MigMode};

    use super::*;

    #[test]
    fn each_mode_is_read_by_the_name_that_is_shown() {
        for (mode, name) in NAMES {
            assert_eq!((name.parse(), mode.to_string().as_str()), (Ok(mode), name));
        }
        assert_eq!("vfio".parse::<Mode>(), Err(ModeError("vfio".into())));
    }

    #[test]
    fn no_two_families_share_a_kind() {
        let families = NAMES.iter().filter(|(mode, _)| !matches!(mode, Mode::Csv | Mode::Wsl));
        let kinds: BTreeSet<_> = families.clone().map(|(mode, _)| mode.default_kind()).collect();
        assert_eq!(kinds.len(), families.count());
    }

    #[test]
    fn the_machine_chooses_the_mode() {
        let machine = |wsl, tegra, gpus: &[(&str, &str)]| HostSnapshot {
            platform: Platform { nvml: None, tegra, wsl },
            inventory: Inventory { gpus: gpus.iter().copied().map(gpu).collect(), faulty: Vec::new() },
            ..HostSnapshot::default()
        };
        let (integrated, discrete) = (("Orin (nvgpu)", "0000:00:00.0"), ("NVIDIA RTX A6000", "0005:09:00.0"));
        for (snapshot, mode) in [
            (machine(true, false, &[]), Mode::Wsl),
            (machine(false, true, &[]), Mode::Csv),
            (machine(false, true, &[integrated]), Mode::Csv),
            (machine(false, true, &[integrated, discrete]), Mode::Csv),
            (machine(false, true, &[discrete]), Mode::Nvml),
            (machine(false, false, &[discrete]), Mode::Nvml),
            (machine(false, false, &[]), Mode::Nvml),
        ] {
            assert_eq!(Mode::of(&snapshot), mode);
        }
        let mut one_is_lost = machine(false, true, &[discrete]);
        one_is_lost.inventory.faulty.push(Faulty { index: 0, reason: "lost".into() });
        assert_eq!(Mode::of(&one_is_lost), Mode::Csv);
    }

    fn gpu((name, pci): (&str, &str)) -> Gpu {
        Gpu {
            index: 0,
            minor: 0,
            uuid: "GPU-00000000-0000-4000-8000-000000000000".parse().expect("a uuid"),
            name: name.into(),
            pci: pci.parse().expect("an address"),
            mig_mode: MigMode::Unsupported,
            mig_devices: Vec::new(),
            coherence: Coherence::Unknown,
            drm_nodes: Vec::new(),
        }
    }
}
