//! How two GPUs reach each other.

use std::ffi::c_uint;

use crate::{
    abi::{
        Uint,
        code::{Answer, Code},
        handle::Device,
        node::{Node, Whole},
        pointer::Out,
    },
    export,
};

/// `nvmlGpuTopologyLevel_t`: the same board, the same NUMA node, across NUMA nodes.
const INTERNAL: c_uint = 0;
const NODE: c_uint = 40;
const SYSTEM: c_uint = 50;

/// `nvmlGpuP2PStatus_t`.
const P2P_OK: c_uint = 0;
const P2P_NO_CHIPSET: c_uint = 1;
/// Kinds of access between GPUs: read, write, `NVLink`, atomics, PCI.
const P2P_KINDS: c_uint = 5;
const P2P_NVLINK: c_uint = 2;

export! {
    /// The closest thing that both hang on.
    fn nvmlDeviceGetTopologyCommonAncestor(one: Device, other: Device, level: Out<Uint>) = node => {
        level.put(between(node.whole(one)?, node.whole(other)?))
    };

    /// The GPUs that are exactly so far away.
    fn nvmlDeviceGetTopologyNearestGpus(device: Device, level: Uint, count: Out<Uint>, devices: Out<Device>) = node => {
        let near: Answer<Vec<Device>> = nearest(node, node.whole(device)?, level).collect();
        devices.list(count, &near?)
    };

    /// Whether one can read the other's memory: over `NVLink`, or over PCIe within a NUMA node.
    fn nvmlDeviceGetP2PStatus(one: Device, other: Device, kind: Uint, status: Out<Uint>) = node => {
        let (one, other) = (node.whole(one)?, node.whole(other)?);
        if kind >= P2P_KINDS {
            return Err(Code::INVALID_ARGUMENT);
        }
        let linked = one.product.nvlink_links > 0 && other.product.nvlink_links > 0;
        let reaches = linked || kind != P2P_NVLINK && between(one, other) < SYSTEM;
        status.put(if reaches { P2P_OK } else { P2P_NO_CHIPSET })
    };
}

fn between(one: Whole<'_>, other: Whole<'_>) -> Uint {
    match (one.gpu.minor == other.gpu.minor, one.gpu.numa_node == other.gpu.numa_node) {
        (true, _) => INTERNAL,
        (false, true) => NODE,
        (false, false) => SYSTEM,
    }
}

fn nearest<'a>(node: &'a Node, whole: Whole<'a>, level: Uint) -> impl Iterator<Item = Answer<Device>> {
    let others = node.gpus().filter(move |gpu| gpu.minor != whole.gpu.minor);
    let near = others.filter(move |gpu| {
        node.state.product(gpu).is_some_and(|product| between(whole, Whole { gpu, product }) == level)
    });
    near.map(|gpu| node.handle(gpu))
}
