//! Whole GPUs.

use std::path::{Path, PathBuf};

use berth_allocator::inventory::Gpu;

use super::{Choices, Parts, coherent, device, edits, names, select};
use crate::{
    host::{HostSnapshot, LeftOut, Link},
    spec::ContainerEdits,
};

/// Adds `gpu` under each of its names; without its node it is left out.
pub(super) fn add(gpu: &Gpu, snapshot: &HostSnapshot, choices: &Choices, parts: &mut Parts) {
    if !select::wants_gpu(&choices.only, gpu) {
        return;
    }
    let mut own = ContainerEdits::default();
    if !add_node(gpu, snapshot, choices, (&mut own, &mut parts.left_out)) {
        return;
    }
    add_drm(gpu, snapshot, choices, (&mut own, &mut parts.left_out));
    for name in names::of_gpu(gpu, &choices.naming) {
        let mut device = device(name, own.clone());
        device.annotations = coherent::annotations(gpu, choices);
        parts.devices.push(device);
    }
}

/// Adds `/dev/nvidia<minor>`; says whether it is there.
pub(super) fn add_node(
    gpu: &Gpu,
    snapshot: &HostSnapshot,
    choices: &Choices,
    (own, left_out): (&mut ContainerEdits, &mut Vec<LeftOut>),
) -> bool {
    let path = PathBuf::from(format!("/dev/nvidia{}", gpu.minor));
    let Some(facts) = snapshot.nodes.get(&path) else {
        let why = format!("has no {}; make it with nvidia-modprobe -c {}", path.display(), gpu.minor);
        left_out.push(LeftOut { what: format!("gpu {}", gpu.index), why });
        return false;
    };
    edits::add_node(own, (&path, facts), choices.node, left_out);
    true
}

/// Adds the nodes for graphics that the GPU has.
pub(super) fn add_drm(
    gpu: &Gpu,
    snapshot: &HostSnapshot,
    choices: &Choices,
    (own, left_out): (&mut ContainerEdits, &mut Vec<LeftOut>),
) {
    for name in &gpu.drm_nodes {
        let path = Path::new("/dev/dri").join(name);
        if let Some(facts) = snapshot.nodes.get(&path) {
            edits::add_node(own, (&path, facts), choices.node, left_out);
        }
    }
}

/// Links by PCI address for the DRM nodes of `gpu`.
pub(super) fn links(gpu: &Gpu) -> impl Iterator<Item = Link> {
    gpu.drm_nodes.iter().filter_map(|node| by_path(gpu, node))
}

/// The link for the DRM node `name` of `gpu`; the kernel makes `cardN` and `renderDN`.
fn by_path(gpu: &Gpu, name: &str) -> Option<Link> {
    let suffix = [("card", "card"), ("renderD", "render")]
        .iter()
        .find(|(prefix, _)| name.starts_with(prefix))
        .map(|(_, suffix)| *suffix)?;
    let link = format!("/dev/dri/by-path/pci-{}-{suffix}", gpu.pci);
    Some(Link { target: format!("../{name}"), link: link.into() })
}
