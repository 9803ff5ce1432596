//! The GPUs' nodes of the kernel's display subsystem.

use crate::{
    machine::{Gpu, Machine, majors},
    tree::{Device, Tree},
};

/// Debian's fixed group id of `video` (base-passwd).
const VIDEO: u32 = 44;
/// Group id of `render`, as the first system group after a fresh Debian installation.
const RENDER: u32 = 105;

/// `/dev/dri/cardN`, `/dev/dri/renderDN` and their links by PCI address.
pub(super) fn nodes(machine: &Machine) -> Tree {
    let mut tree = Tree::new();
    machine.driven().for_each(|gpu| add(&mut tree, gpu));
    tree
}

fn add(tree: &mut Tree, gpu: &Gpu) {
    let (card, render) = (gpu.card(), gpu.render());
    let node = |minor, group| Device { major: majors::DRM, minor, mode: 0o660, group };
    tree.device(format!("/dev/dri/card{card}"), node(card, VIDEO));
    tree.device(format!("/dev/dri/renderD{render}"), node(render, RENDER));
    tree.link(format!("/dev/dri/by-path/pci-{}-card", gpu.bus), format!("../card{card}"));
    tree.link(format!("/dev/dri/by-path/pci-{}-render", gpu.bus), format!("../renderD{render}"));
}
