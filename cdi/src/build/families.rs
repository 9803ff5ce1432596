//! Families that are one device, `all`: GPUDirect Storage, InfiniBand, NVSwitches, GDRCopy.

use std::path::Path;

use super::{ALL, BuildError, Choices, Mode, Parts, device, edits};
use crate::{host::HostSnapshot, spec::ContainerEdits};

/// The device and common edits of `mode`.
pub(super) fn parts(mode: Mode, snapshot: &HostSnapshot, choices: &Choices) -> Result<Parts, BuildError> {
    let mut parts = Parts::default();
    let mut own = ContainerEdits::default();
    for (path, facts) in snapshot.nodes.iter().filter(|(path, _)| belongs(mode, path)) {
        edits::add_node(&mut own, (path, facts), choices.node, &mut parts.left_out);
    }
    if own.is_empty() {
        return Ok(parts);
    }
    if mode == Mode::Gds {
        edits::add_files(&mut own, &snapshot.storage, &mut parts.left_out);
    }
    parts.devices.extend(ALL.parse().ok().map(|name| device(name, own)));
    parts.common = edits::no_legacy_hook(snapshot);
    Ok(parts)
}

fn belongs(mode: Mode, path: &Path) -> bool {
    let path = path.to_str().unwrap_or_default();
    match mode {
        Mode::Gds => path.starts_with("/dev/nvidia-fs"),
        Mode::Mofed => path == "/dev/infiniband/rdma_cm" || path.starts_with("/dev/infiniband/uverbs"),
        Mode::Nvswitch => path.starts_with("/dev/nvidia-nvswitch"),
        Mode::Gdrcopy => path == "/dev/gdrdrv",
        Mode::Nvml | Mode::Management | Mode::Csv | Mode::Wsl | Mode::Imex => false,
    }
}
