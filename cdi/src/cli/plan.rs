//! From the flags of `generate` to what is observed and what is built. Pure.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    str::FromStr,
};

use super::args::Generate;
use crate::{
    build::{Choices, CompatRoot, DEFAULT_HOOK, HookChoices, HookPart, HookPartError, Mode, ModeError, Node},
    host::{HostSnapshot, Options, Platform, Search, Want},
    spec::Format,
};

/// What the environment tells.
#[derive(Debug, Clone, Default)]
pub(super) struct Surroundings {
    /// Folders of `PATH`.
    pub programs: Vec<PathBuf>,
    /// Folders of `XDG_DATA_DIRS`.
    pub data: Vec<PathBuf>,
    /// `uname -r`.
    pub kernel_release: String,
}

/// Something that can't be meant.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum PlanError {
    #[error("format {0:?} is not json or yaml")]
    Format(String),
    #[error("feature flag {0:?} is not known; see berth-cdi help generate")]
    Feature(String),
    #[error(transparent)]
    Mode(#[from] ModeError),
    #[error(transparent)]
    Hook(#[from] HookPartError),
}

/// A feature that NVIDIA's program has behind a flag.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Feature {
    /// Libraries that other vendors have too.
    ExplicitLibraries,
    /// Annotations and specs of their own for coherent GPUs.
    Coherent,
    /// No sockets of daemons.
    NoSockets,
    /// A Tegra board is one GPU.
    OneCsvDevice,
}

/// What is done.
#[derive(Debug, Clone)]
pub(super) struct Plan {
    /// The mode that was asked for, or none to go by the machine.
    pub mode: Option<Mode>,
    /// How the spec is written.
    pub format: Format,
    /// What it says.
    pub choices: Choices,
    /// Features that were asked for.
    pub features: BTreeSet<Feature>,
    /// What the operator should know of the flags.
    pub notes: Vec<String>,
}

/// Plans a generation.
pub(super) fn plan(arguments: &Generate) -> Result<Plan, PlanError> {
    let mode = if arguments.mode == "auto" { None } else { Some(Mode::from_str(&arguments.mode)?) };
    let mut notes = Vec::new();
    let features = features(&arguments.hook.feature_flag, &mut notes)?;
    Ok(Plan {
        mode,
        format: format(arguments.format.as_deref(), arguments.output.as_deref())?,
        choices: choices(arguments, &features, &mut notes)?,
        features,
        notes,
    })
}

fn format(named: Option<&str>, output: Option<&Path>) -> Result<Format, PlanError> {
    match named {
        Some("json") => Ok(Format::Json),
        Some("yaml" | "yml") => Ok(Format::Yaml),
        Some(other) => Err(PlanError::Format(other.into())),
        None => Ok(output.and_then(Format::of).unwrap_or(Format::Yaml)),
    }
}

fn features(flags: &[String], notes: &mut Vec<String>) -> Result<BTreeSet<Feature>, PlanError> {
    let mut features = BTreeSet::new();
    for flag in flags {
        match flag.as_str() {
            "enable-explicit-driver-libraries" => drop(features.insert(Feature::ExplicitLibraries)),
            "enable-coherent-annotations" => drop(features.insert(Feature::Coherent)),
            "disable-ipc-discoverer" => drop(features.insert(Feature::NoSockets)),
            "disable-multiple-csv-devices" => drop(features.insert(Feature::OneCsvDevice)),
            "disable-nvsandboxutils" | "no-additional-gids-for-device-nodes" => {
                notes.push(format!("feature flag {flag} changes nothing: it is always so here"));
            }
            other => return Err(PlanError::Feature(other.into())),
        }
    }
    Ok(features)
}

fn choices(
    arguments: &Generate,
    features: &BTreeSet<Feature>,
    notes: &mut Vec<String>,
) -> Result<Choices, PlanError> {
    let devices = &arguments.devices;
    Ok(Choices {
        vendor: devices.vendor.clone(),
        class: devices.class.clone(),
        naming: devices.device_name_strategy.clone(),
        only: devices.device_id.clone(),
        all: !devices.no_all_device,
        node: Node { numbers: devices.device_numbers, groups: devices.additional_gids },
        mig_drm: devices.mig_drm,
        coherent: features.contains(&Feature::Coherent),
        hook: hook(arguments, notes)?,
    })
}

fn hook(arguments: &Generate, notes: &mut Vec<String>) -> Result<HookChoices, PlanError> {
    let flags = &arguments.hook;
    if flags.ldconfig_path.is_some() {
        notes.push("--ldconfig-path changes nothing: the loader's cache is written without ldconfig".into());
    }
    let mut without = parts(&flags.disable_hook, "--disable-hook", notes)?;
    for part in parts(&flags.enable_hook, "--enable-hook", notes)? {
        without.remove(&part);
    }
    let compat = arguments.special.csv_compat_container_root.clone();
    Ok(HookChoices {
        path: hook_path(&flags.nvidia_cdi_hook_path, notes),
        without,
        compat: compat.map_or(CompatRoot::Usual, CompatRoot::Folder),
    })
}

/// NVIDIA's hook doesn't know what ours does: a script that names it gets ours.
fn hook_path(asked: &str, notes: &mut Vec<String>) -> String {
    let name = Path::new(asked).file_name().unwrap_or_default();
    if !["nvidia-cdi-hook", "nvidia-ctk"].iter().any(|other| name == *other) {
        return asked.to_owned();
    }
    notes.push(format!("{asked} does not know the hook of this spec, which names {DEFAULT_HOOK} instead"));
    DEFAULT_HOOK.to_owned()
}

fn parts(names: &[String], flag: &str, notes: &mut Vec<String>) -> Result<BTreeSet<HookPart>, PlanError> {
    let mut parts = BTreeSet::new();
    for name in names {
        match name.as_str() {
            "all" => parts.extend(HookPart::all()),
            "chmod" => {
                notes.push(format!("{flag} chmod changes nothing: runtimes make device folders readable"));
            }
            "apply-cuda-memory-limits" => notes.push(format!(
                "{flag} {name} changes nothing: a container's own variables set no limit here; part a gpu by mig or mps"
            )),
            known => {
                parts.insert(known.parse()?);
            }
        }
    }
    Ok(parts)
}

/// What is observed for `mode`.
pub(super) fn observed(
    mode: Mode,
    plan: &Plan,
    platform: &Platform,
    (arguments, surroundings): (&Generate, &Surroundings),
) -> Options {
    let has = |feature| plan.features.contains(&feature);
    let mut wants: Vec<Want> = match mode {
        Mode::Nvml => Want::NVML.to_vec(),
        Mode::Management => Want::MANAGEMENT.to_vec(),
        // Without NVML the board is one GPU; with it, NVML tells the integrated one from others.
        Mode::Csv if platform.nvml.is_some() && !has(Feature::OneCsvDevice) => {
            vec![Want::Tegra, Want::Inventory]
        }
        Mode::Csv => vec![Want::Tegra],
        Mode::Wsl => vec![Want::Wsl],
        Mode::Imex => vec![Want::Imex],
        Mode::Gds => vec![Want::Storage],
        Mode::Mofed => vec![Want::Mofed],
        Mode::Nvswitch => vec![Want::NvSwitch],
        Mode::Gdrcopy => vec![Want::Gdrcopy],
    };
    let of_driver = matches!(mode, Mode::Nvml | Mode::Management);
    wants.extend((of_driver && has(Feature::ExplicitLibraries)).then_some(Want::ExplicitLibraries));
    wants.extend((of_driver && arguments.devices.libraries_32).then_some(Want::Libraries32));
    options(wants, arguments, surroundings)
}

/// These parts, looked for where the operator said.
pub(super) fn options(
    wants: impl IntoIterator<Item = Want>,
    arguments: &Generate,
    surroundings: &Surroundings,
) -> Options {
    Options {
        search: Search {
            libraries: arguments.host.library_search_path.clone(),
            configs: arguments.host.config_search_path.clone(),
            programs: surroundings.programs.clone(),
            data: surroundings.data.clone(),
            tegra_lists: arguments.special.csv_file.clone(),
            tegra_ignored: arguments.special.csv_ignore_pattern.clone(),
        },
        ..Options::new(wants, surroundings.kernel_release.clone())
    }
}

/// The snapshot without what was not asked for.
pub(super) fn trimmed(mut snapshot: HostSnapshot, plan: &Plan) -> HostSnapshot {
    if plan.features.contains(&Feature::NoSockets) {
        snapshot.files.sockets.clear();
    }
    snapshot
}
