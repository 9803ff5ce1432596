//! One path of the container twice: the later entry silently takes the earlier one's place.

use std::{collections::BTreeMap, path::Path};

use crate::{
    check::finding::{Finding, Severity},
    spec::{ContainerEdits, Spec},
};

pub(super) fn check(file: &Path, spec: &Spec) -> Vec<Finding> {
    let common = ("containerEdits".to_owned(), ContainerEdits::default(), &spec.container_edits);
    let devices = spec.devices.iter().map(|device| {
        let place = format!("devices[{:?}].containerEdits", device.name.as_str());
        (place, spec.container_edits.clone(), &device.container_edits)
    });
    let mut findings = Vec::new();
    for (place, common, own) in std::iter::once(common).chain(devices) {
        let mut taken: BTreeMap<&str, &str> = sources(&common).collect();
        for (path, source) in sources(own) {
            if let Some(other) = taken.insert(path, source).filter(|other| *other != source) {
                let text = format!(
                    "{path} is made from {other} and from {source}, and the later one stays; leave one out"
                );
                findings.push(Finding::new(Severity::Warning, "repeat", file, text).at(place.clone()));
            }
        }
    }
    findings
}

/// Path in the container, and where on the host it comes from.
fn sources(edits: &ContainerEdits) -> impl Iterator<Item = (&str, &str)> {
    let nodes = edits.device_nodes.iter().map(|node| (node.path.as_str(), node.on_host()));
    nodes.chain(edits.mounts.iter().map(|mount| (mount.container_path.as_str(), mount.host_path.as_str())))
}
