//! Nodes of what a GPU node has besides GPUs: fabric, storage and network.

use crate::{
    machine::{Feature, Machine},
    tree::{Device, Tree},
};

/// Switches of a baseboard of eight GPUs.
const SWITCHES: u32 = 4;
/// RDMA adapters, and file systems' queues of GPU direct storage.
const ADAPTERS: u32 = 2;
/// IMEX channels that exist before anybody asks for more.
const CHANNELS: u32 = 2;
/// First minor of `/dev/infiniband/uverbsN` (Documentation/admin-guide/devices.txt, major 231).
const UVERBS: u32 = 192;
/// Minor of `/dev/nvidia-nvswitchctl`.
const SWITCH_CONTROL: u32 = 255;

/// The nodes of the machine's features.
pub(super) fn nodes(machine: &Machine) -> Tree {
    let mut tree = Tree::new();
    let mut put = |path: String, major, minor| tree.device(path, Device::open_to_all(major, minor));
    let majors = &machine.majors;
    if machine.has(Feature::Mofed) {
        put("/dev/infiniband/rdma_cm".into(), 10, 122);
        (0..ADAPTERS).for_each(|n| put(format!("/dev/infiniband/uverbs{n}"), majors.verbs, UVERBS + n));
    }
    if machine.has(Feature::Gds) {
        (0..ADAPTERS).for_each(|n| put(format!("/dev/nvidia-fs{n}"), majors.nvfs, n));
    }
    if machine.has(Feature::Gdrcopy) {
        put("/dev/gdrdrv".into(), majors.gdrcopy, 0);
    }
    if machine.has(Feature::Nvswitch) {
        put("/dev/nvidia-nvswitchctl".into(), majors.nvswitch, SWITCH_CONTROL);
        (0..SWITCHES).for_each(|n| put(format!("/dev/nvidia-nvswitch{n}"), majors.nvswitch, n));
    }
    if machine.has(Feature::Imex) {
        (0..CHANNELS).for_each(|n| put(format!("/dev/nvidia-caps-imex-channels/channel{n}"), majors.imex, n));
    }
    tree
}
