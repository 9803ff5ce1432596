//! Specs of GPUs that let a container start and then leave its program without a GPU.

use std::path::Path;

use crate::{
    check::{
        finding::{Finding, Severity},
        observed::{Fact, Facts},
    },
    spec::{ContainerEdits, Device, DeviceName, Spec},
};

/// Nodes without which CUDA finds no device.
pub(super) const CONTROL_NODES: [&str; 2] = ["/dev/nvidiactl", "/dev/nvidia-uvm"];

pub(super) fn check(file: &Path, spec: &Spec, facts: &Facts) -> Vec<Finding> {
    let ours = spec.kind.vendor().ends_with("nvidia.com") && spec.kind.class() == "gpu";
    if !ours || spec.devices.iter().any(|device| is_handle_only(&device.container_edits)) {
        return Vec::new();
    }
    let mut findings: Vec<Finding> = spec
        .devices
        .iter()
        .filter(|device| names_gpu(&device.name))
        .filter_map(|device| nodes(file, device))
        .collect();
    if spec.devices.iter().any(|device| names_gpu(&device.name)) {
        findings.extend(CONTROL_NODES.iter().filter_map(|node| control(file, spec, node, facts)));
    }
    findings
}

/// `none` is a device without any GPU, by intent.
fn names_gpu(name: &DeviceName) -> bool {
    name.as_str() != "none"
}

fn is_handle_only(edits: &ContainerEdits) -> bool {
    edits.device_nodes.iter().any(|node| node.path.starts_with("/dev/vfio/"))
}

fn nodes(file: &Path, device: &Device) -> Option<Finding> {
    let paths = || device.container_edits.device_nodes.iter().map(|node| node.path.as_str());
    let place = format!("devices[{:?}].containerEdits", device.name.as_str());
    let capabilities = paths().filter(|path| path.starts_with("/dev/nvidia-caps/nvidia-cap")).count();
    let text = if !paths().any(is_gpu_node)
        && !paths().any(|path| path == "/dev/dxg" || path.starts_with("/dev/nvhost"))
    {
        "the device has no node /dev/nvidiaN, so programs find no gpu; generate the spec again"
    } else if is_mig(&device.name) && capabilities < 2 {
        "the mig device lacks nodes below /dev/nvidia-caps, so programs find no gpu; load the nodes with nvidia-modprobe, \
         then generate the spec again"
    } else {
        return None;
    };
    Some(Finding::new(Severity::Error, "gpu-nodes", file, text).at(place))
}

fn is_gpu_node(path: &str) -> bool {
    let minor = path.strip_prefix("/dev/nvidia").unwrap_or_default();
    !minor.is_empty() && minor.bytes().all(|byte| byte.is_ascii_digit())
}

/// `MIG-UUID`, `mig1:0` and `1:0`.
fn is_mig(name: &DeviceName) -> bool {
    let name = name.as_str();
    name.starts_with("MIG-") || name.contains(':')
}

fn control(file: &Path, spec: &Spec, node: &str, facts: &Facts) -> Option<Finding> {
    let has = |edits: &ContainerEdits| edits.device_nodes.iter().any(|other| other.path == node);
    let everywhere =
        has(&spec.container_edits) || spec.devices.iter().all(|device| has(&device.container_edits));
    let there = matches!(facts.get(node), Some(Fact::Found(_)));
    (there && !everywhere).then(|| {
        let text =
            format!("{node} exists and is not in the spec, so cuda finds no gpu; generate the spec again");
        Finding::new(Severity::Error, "gpu-nodes", file, text)
    })
}
