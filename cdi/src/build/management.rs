//! Everything of the driver, for programs that manage GPUs: one device, `all`.

use std::path::Path;

use super::{
    ALL, BuildError, Choices, Parts, device, edits,
    hook::{self, Compat, Work},
    nvml,
};
use crate::{host::HostSnapshot, spec::ContainerEdits};

/// Nodes of other families, which have modes of their own.
const OTHERS: [&str; 3] = ["nvidia-fs", "nvidia-nvswitch", "nvidia-nvlink"];

/// Folders whose nodes belong to it.
const FOLDERS: [&str; 3] = ["/dev", "/dev/nvidia-caps", "/dev/nvidia-caps-imex-channels"];

/// The device and common edits of mode `management`.
pub(super) fn parts(snapshot: &HostSnapshot, choices: &Choices) -> Result<Parts, BuildError> {
    let mut parts = Parts::default();
    let mut own = ContainerEdits::default();
    for (path, facts) in snapshot.nodes.iter().filter(|(path, _)| belongs(path)) {
        edits::add_node(&mut own, (path, facts), choices.node, &mut parts.left_out);
    }
    if !own.is_empty() {
        parts.devices.extend(ALL.parse().ok().map(|name| device(name, own)));
    }
    parts.common = nvml::driver(snapshot, &mut parts.left_out);
    let files = &snapshot.files;
    let work = Work {
        links: files.links.clone(),
        folders: hook::library_folders(&files.libraries),
        compat: snapshot.driver_version.clone().map(Compat::Driver),
        // Who manages GPUs makes their nodes.
        device_nodes: false,
        ..Work::default()
    };
    parts.common.hooks.extend(hook::hook(&work, &choices.hook));
    Ok(parts)
}

fn belongs(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    path.parent().is_some_and(|folder| FOLDERS.iter().any(|own| folder == Path::new(own)))
        && (name.starts_with("nvidia") || name.starts_with("channel"))
        && !OTHERS.iter().any(|other| name.starts_with(other))
}
