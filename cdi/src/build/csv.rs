//! GPUs of a Tegra board, by the board's own lists.
//!
//! A board has its integrated GPU, and Thor may have a discrete one beside it. The lists name the nodes of both:
//! `/dev/nvidia1` and `/dev/nvidia2` are the integrated GPU's halves there.

use std::path::{Path, PathBuf};

use berth_allocator::inventory::Gpu;

use super::{
    BuildError, Choices, DeviceId, Naming, Parts, device, edits, full,
    hook::{self, Compat, Work},
    names, nvml, select,
};
use crate::{
    host::{FoundFile, HostSnapshot, LeftOut, TegraFiles},
    spec::{ContainerEdits, DeviceName},
};

/// Where images for Orin keep CUDA's compatibility libraries.
const ORIN_COMPAT: &str = "/usr/local/cuda/compat_orin";
/// PCI address of the integrated GPU where it shows one.
const INTEGRATED_ADDRESS: &str = "0000:01:00.0";

/// Devices and common edits of mode `csv`.
pub(super) fn parts(snapshot: &HostSnapshot, choices: &Choices) -> Result<Parts, BuildError> {
    let mut parts = Parts::default();
    if snapshot.tegra == TegraFiles::default() {
        return Ok(parts);
    }
    match snapshot.inventory.gpus.as_slice() {
        [] | [_] => {
            only_known(&choices.only, snapshot)?;
            add_only(snapshot, choices, &mut parts);
        }
        gpus => {
            select::all_known(&choices.only, &snapshot.inventory)?;
            gpus.iter().for_each(|gpu| add_of_several(gpu, snapshot, choices, &mut parts));
        }
    }
    parts.common = common(snapshot, choices, &mut parts.left_out);
    Ok(parts)
}

/// The only GPU goes by index, and by UUID where NVML tells it.
fn only_known(only: &[DeviceId], snapshot: &HostSnapshot) -> Result<(), BuildError> {
    let known = |id: &DeviceId| match id {
        DeviceId::All | DeviceId::None | DeviceId::Gpu(0) => true,
        DeviceId::GpuUuid(uuid) => snapshot.inventory.gpus.iter().any(|gpu| gpu.uuid == *uuid),
        DeviceId::Gpu(_) | DeviceId::Mig(..) | DeviceId::Channel(_) | DeviceId::MigUuid(_) => false,
    };
    select::only_known(only, known, || "0".into())
}

/// The only GPU: all listed nodes, whatever NVML says of it.
fn add_only(snapshot: &HostSnapshot, choices: &Choices, parts: &mut Parts) {
    let own = listed(snapshot, choices, |_| true, &mut parts.left_out);
    if own.is_empty() {
        return;
    }
    let by_type = choices.naming.contains(&Naming::TypeIndex);
    let names = [Some("0"), by_type.then_some("gpu0")].into_iter().flatten();
    let names: Vec<DeviceName> = names.filter_map(|name| name.parse().ok()).collect();
    parts.devices.extend(names.into_iter().map(|name| device(name, own.clone())));
}

/// One of several GPUs: the integrated one keeps the listed nodes but the other's, which gets its own.
fn add_of_several(gpu: &Gpu, snapshot: &HostSnapshot, choices: &Choices, parts: &mut Parts) {
    if !select::wants_gpu(&choices.only, gpu) {
        return;
    }
    let mut own = ContainerEdits::default();
    if is_integrated(gpu) {
        own = listed(snapshot, choices, |path| path != Path::new("/dev/nvidia1"), &mut parts.left_out);
        add_known(&mut own, Path::new("/dev/nvidia2"), snapshot, choices, &mut parts.left_out);
    } else {
        if !full::add_node(gpu, snapshot, choices, (&mut own, &mut parts.left_out)) {
            return;
        }
        full::add_drm(gpu, snapshot, choices, (&mut own, &mut parts.left_out));
        nvml::CONTROL.iter().for_each(|path| {
            add_known(&mut own, Path::new(path), snapshot, choices, &mut parts.left_out);
        });
        own.append(listed(snapshot, choices, |path| !is_of_gpus(path), &mut parts.left_out));
    }
    let names = names::of_gpu(gpu, &choices.naming);
    parts.devices.extend(names.into_iter().map(|name| device(name, own.clone())));
}

/// Whether `gpu` is the one that belongs to the board.
pub(super) fn is_integrated(gpu: &Gpu) -> bool {
    gpu.name.contains("(nvgpu)")
        || gpu.name.contains("NVIDIA Thor")
        || gpu.pci.to_string() == INTEGRATED_ADDRESS
}

fn is_of_gpus(path: &Path) -> bool {
    let name = path.to_str().and_then(|path| path.strip_prefix("/dev/nvidia"));
    name.is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit()))
        || nvml::CONTROL.iter().any(|control| Path::new(control) == path)
}

fn listed(
    snapshot: &HostSnapshot,
    choices: &Choices,
    belongs: impl Fn(&Path) -> bool,
    left_out: &mut Vec<LeftOut>,
) -> ContainerEdits {
    let mut own = ContainerEdits::default();
    let wanted = snapshot.tegra.nodes.iter().filter(|path| belongs(path));
    for (path, facts) in wanted.filter_map(|path: &PathBuf| Some((path, snapshot.nodes.get(path)?))) {
        edits::add_node(&mut own, (path, facts), choices.node, left_out);
    }
    own
}

fn add_known(
    own: &mut ContainerEdits,
    path: &Path,
    snapshot: &HostSnapshot,
    choices: &Choices,
    left_out: &mut Vec<LeftOut>,
) {
    if let Some(facts) = snapshot.nodes.get(path) {
        edits::add_node(own, (path, facts), choices.node, left_out);
    }
}

fn common(snapshot: &HostSnapshot, choices: &Choices, left_out: &mut Vec<LeftOut>) -> ContainerEdits {
    let mut common = edits::no_legacy_hook(snapshot);
    let tegra = &snapshot.tegra;
    for files in [&tegra.folders, &tegra.libraries, &tegra.link_targets] {
        edits::add_files(&mut common, files, left_out);
    }
    let libraries = |files: &[FoundFile]| hook::library_folders(files);
    let gpus = snapshot.inventory.gpus.as_slice();
    let discrete = gpus.iter().filter(|gpu| gpus.len() > 1 && !is_integrated(gpu));
    let orin = gpus.iter().any(|gpu| gpu.name.contains("Orin"));
    let work = Work {
        links: tegra.links.clone(),
        links_if_present: discrete.flat_map(full::links).collect(),
        folders: libraries(&[tegra.libraries.clone(), tegra.link_targets.clone()].concat()),
        compat: snapshot.cuda_version.clone().map(Compat::Cuda),
        compat_folder: orin.then(|| ORIN_COMPAT.to_owned()),
        ..Work::default()
    };
    common.hooks.extend(hook::hook(&work, &choices.hook));
    common
}
