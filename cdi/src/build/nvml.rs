//! GPUs and MIG devices, and what all of them share.

use std::path::Path;

use berth_allocator::inventory::MigMode;

use super::{
    BuildError, Choices, Parts, edits, full,
    hook::{self, Compat, Work},
    mig, select,
};
use crate::{
    host::{HostSnapshot, LeftOut},
    spec::ContainerEdits,
};

/// Nodes that every GPU needs, where the driver has them.
pub(super) const CONTROL: [&str; 4] =
    ["/dev/nvidia-modeset", "/dev/nvidia-uvm", "/dev/nvidia-uvm-tools", "/dev/nvidiactl"];

/// Those without which CUDA does not start.
const NEEDED: [&str; 2] = ["/dev/nvidia-uvm", "/dev/nvidiactl"];

/// Devices and common edits of mode `nvml`.
pub(super) fn parts(snapshot: &HostSnapshot, choices: &Choices) -> Result<Parts, BuildError> {
    select::all_known(&choices.only, &snapshot.inventory)?;
    let mut parts = Parts { left_out: faulty(snapshot), ..Parts::default() };
    for gpu in &snapshot.inventory.gpus {
        match gpu.mig_mode {
            MigMode::Enabled => mig::add(gpu, snapshot, choices, &mut parts),
            MigMode::Disabled | MigMode::Unsupported => full::add(gpu, snapshot, choices, &mut parts),
        }
    }
    parts.common = common(snapshot, choices, &mut parts.left_out);
    Ok(parts)
}

fn faulty(snapshot: &HostSnapshot) -> Vec<LeftOut> {
    let named = |faulty: &berth_allocator::inventory::Faulty| LeftOut {
        what: format!("gpu {}", faulty.index),
        why: faulty.reason.clone(),
    };
    snapshot.inventory.faulty.iter().map(named).collect()
}

fn common(snapshot: &HostSnapshot, choices: &Choices, left_out: &mut Vec<LeftOut>) -> ContainerEdits {
    let mut common = driver(snapshot, left_out);
    control_nodes(snapshot, choices, &mut common, left_out);
    let files = &snapshot.files;
    edits::add_files(&mut common, &files.graphics, left_out);
    edits::add_files(&mut common, &files.modules, left_out);
    edits::add_files(&mut common, &files.configs, left_out);
    let work = Work {
        links: files.links.clone(),
        // Made in containers that have the node: one hook serves them all.
        links_if_present: snapshot.inventory.gpus.iter().flat_map(full::links).collect(),
        folders: hook::library_folders(files.libraries.iter().chain(&files.graphics)),
        compat: snapshot.driver_version.clone().map(Compat::Driver),
        compat_folder: None,
        device_nodes: true,
        application_profile: true,
    };
    common.hooks.extend(hook::hook(&work, &choices.hook));
    common
}

/// What every container of the driver gets: environment, libraries, programs, firmware and sockets.
pub(super) fn driver(snapshot: &HostSnapshot, left_out: &mut Vec<LeftOut>) -> ContainerEdits {
    let mut common = edits::no_legacy_hook(snapshot);
    let files = &snapshot.files;
    let folders: Vec<_> = files.library_dirs.iter().filter_map(|folder| folder.to_str()).collect();
    if !folders.is_empty() {
        common.env.push(format!("NVIDIA_CTK_LIBCUDA_DIR={}", folders.join(":")));
    }
    for list in [&files.libraries, &files.binaries, &files.firmware] {
        edits::add_files(&mut common, list, left_out);
    }
    edits::add_sockets(&mut common, &files.sockets, left_out);
    common
}

fn control_nodes(
    snapshot: &HostSnapshot,
    choices: &Choices,
    common: &mut ContainerEdits,
    left_out: &mut Vec<LeftOut>,
) {
    for path in CONTROL.map(Path::new) {
        match snapshot.nodes.get(path) {
            Some(facts) => edits::add_node(common, (path, facts), choices.node, left_out),
            // What was seen and could not be used is named already.
            None if snapshot.left_out.iter().any(|left| Path::new(&left.what).ends_with(below(path))) => {}
            None if NEEDED.iter().any(|needed| Path::new(needed) == path) => left_out.push(LeftOut {
                what: path.display().to_string(),
                why: "is missing, and cuda will not start without it; run nvidia-modprobe -c 0 -u".into(),
            }),
            None => {}
        }
    }
}

/// `path` as it ends below any dev root.
fn below(path: &Path) -> &Path {
    path.strip_prefix("/").unwrap_or(path)
}
