//! The GPUs of a Linux below Windows: one device, `all`, on one node.

use std::path::Path;

use super::{
    ALL, BuildError, Choices, Parts, device, edits,
    hook::{self, Work},
};
use crate::{host::HostSnapshot, spec::ContainerEdits};

const NODE: &str = "/dev/dxg";

/// The device and common edits of mode `wsl`.
pub(super) fn parts(snapshot: &HostSnapshot, choices: &Choices) -> Result<Parts, BuildError> {
    let mut parts = Parts::default();
    if let Some(facts) = snapshot.nodes.get(Path::new(NODE)) {
        let mut own = ContainerEdits::default();
        edits::add_node(&mut own, (Path::new(NODE), facts), choices.node, &mut parts.left_out);
        parts.devices.extend(ALL.parse().ok().map(|name| device(name, own)));
    }
    parts.common = edits::no_legacy_hook(snapshot);
    edits::add_files(&mut parts.common, &snapshot.wsl.files, &mut parts.left_out);
    let work = Work {
        links: snapshot.wsl.links.clone(),
        folders: hook::library_folders(&snapshot.wsl.files),
        ..Work::default()
    };
    parts.common.hooks.extend(hook::hook(&work, &choices.hook));
    Ok(parts)
}
