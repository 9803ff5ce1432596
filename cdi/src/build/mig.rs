//! MIG devices.
//!
//! A MIG device is its parent's node and two capability nodes. Without either of these a workload starts without
//! access, so the device is left out instead.

use std::path::PathBuf;

use berth_allocator::inventory::{Gpu, MigDevice};

use super::{Choices, Parts, device, edits, full, names, select};
use crate::{
    host::{Capability, HostSnapshot, LeftOut},
    spec::ContainerEdits,
};

/// Adds the MIG devices of `gpu` under each of their names.
pub(super) fn add(gpu: &Gpu, snapshot: &HostSnapshot, choices: &Choices, parts: &mut Parts) {
    for mig in gpu.mig_devices.iter().filter(|mig| select::wants_mig(&choices.only, gpu, mig)) {
        match edits(gpu, mig, snapshot, choices) {
            Ok((own, notes)) => {
                parts.left_out.extend(notes);
                let names = names::of_mig(gpu, mig, &choices.naming);
                parts.devices.extend(names.into_iter().map(|name| device(name, own.clone())));
            }
            Err(why) => {
                let what = format!("mig device {}:{}", gpu.index, mig.index);
                parts.left_out.push(LeftOut { what, why });
            }
        }
    }
}

fn edits(
    gpu: &Gpu,
    mig: &MigDevice,
    snapshot: &HostSnapshot,
    choices: &Choices,
) -> Result<(ContainerEdits, Vec<LeftOut>), String> {
    let (mut own, mut left_out) = (ContainerEdits::default(), Vec::new());
    if !full::add_node(gpu, snapshot, choices, (&mut own, &mut left_out)) {
        return Err(format!("needs /dev/nvidia{}; make it with nvidia-modprobe -c {0}", gpu.minor));
    }
    for capability in capabilities(gpu, mig) {
        let path = node_of(capability, snapshot)?;
        let facts = snapshot.nodes.get(&path).ok_or_else(|| {
            format!("needs {}; make it with nvidia-modprobe, or run nvidia-smi as root", path.display())
        })?;
        edits::add_node(&mut own, (&path, facts), choices.node, &mut left_out);
    }
    if mig.graphics || choices.mig_drm {
        full::add_drm(gpu, snapshot, choices, (&mut own, &mut left_out));
    }
    Ok((own, left_out))
}

fn capabilities(gpu: &Gpu, mig: &MigDevice) -> [Capability; 2] {
    let (gpu, gi, ci) = (gpu.minor, mig.gpu_instance, mig.compute_instance);
    [Capability::GpuInstance { gpu, gi }, Capability::ComputeInstance { gpu, gi, ci }]
}

fn node_of(capability: Capability, snapshot: &HostSnapshot) -> Result<PathBuf, String> {
    let minor = snapshot.capabilities.get(&capability).ok_or(
        "has no capability in /proc/driver/nvidia-caps/mig-minors; check that /proc of the host is visible",
    )?;
    Ok(format!("/dev/nvidia-caps/nvidia-cap{minor}").into())
}
