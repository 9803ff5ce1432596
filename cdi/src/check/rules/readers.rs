//! Readers that cannot take a document which newer ones take.

use std::path::Path;

use super::Expect;
use crate::{
    check::finding::{Finding, Severity},
    spec::{Spec, Version, required_version},
};

/// podman up to 4.9 (Ubuntu 24.04) reads nothing newer and then offers no device of the file.
const OLD_PODMAN: Version = Version::V0_6_0;

/// Kata's Go runtime reads nothing newer, and one such file anywhere fails every sandbox that gets a device.
const KATA: Version = Version::V0_6_0;

pub(super) fn check(file: &Path, spec: &Spec, expect: &Expect) -> Vec<Finding> {
    let mut findings: Vec<Finding> = version(file, spec, expect).into_iter().collect();
    findings.extend(vfio(file, spec, expect));
    findings
}

fn version(file: &Path, spec: &Spec, expect: &Expect) -> Option<Finding> {
    let (stated, needed) = (spec.cdi_version, required_version(spec));
    if stated <= OLD_PODMAN.max(KATA) {
        return None;
    }
    let way_out = if needed <= OLD_PODMAN {
        format!("its content needs {needed} only, so state that")
    } else {
        "generate it without additional groups and network devices".to_owned()
    };
    let severity = if expect.kata { Severity::Error } else { Severity::Warning };
    let text = format!(
        "podman up to 4.9 offers no device of a spec of version {stated}, and kata fails every pod with a device on \
         this node; {way_out}"
    );
    Some(Finding::new(severity, "version", file, text).at("cdiVersion"))
}

/// Kata takes every node of a device for one to pass through: a device is one handle and nothing else.
fn vfio(file: &Path, spec: &Spec, expect: &Expect) -> Vec<Finding> {
    let severity = if expect.kata { Severity::Error } else { Severity::Warning };
    let mut findings = Vec::new();
    for device in &spec.devices {
        let nodes = &device.container_edits.device_nodes;
        let handles = nodes.iter().filter(|node| is_handle(node.on_host())).count();
        if handles == 0 {
            continue;
        }
        let place = format!("devices[{:?}].containerEdits", device.name.as_str());
        let rest = handles != nodes.len() || !device.container_edits.mounts.is_empty();
        if handles > 1 || rest {
            let text = "kata takes one vfio handle a device and nothing beside it; leave the other nodes and mounts out";
            findings.push(Finding::new(severity, "vfio", file, text).at(place));
        }
    }
    findings
}

/// `/dev/vfio/GROUP` or `/dev/vfio/devices/vfioN`, and not the container node `/dev/vfio/vfio`.
fn is_handle(path: &str) -> bool {
    path.strip_prefix("/dev/vfio/").is_some_and(|rest| rest != "vfio")
}
