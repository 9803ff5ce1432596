//! Rules for the edits of a container.

use std::collections::BTreeSet;

use super::{
    ContainerEdits, DeviceNode, Hook, IntelRdt, Mount, NetDevice,
    validate::{Fault, Place, Rule},
};

/// Longest name of a network interface (`IFNAMSIZ` without its zero byte).
const MAX_INTERFACE: usize = 15;

pub(super) fn check(place: &Place<'_>, edits: &ContainerEdits, faults: &mut Vec<Fault>) {
    check_env(&place.field("env"), &edits.env, faults);
    for (index, node) in edits.device_nodes.iter().enumerate() {
        check_node(&place.field("deviceNodes").item(index), node, faults);
    }
    check_interfaces(&place.field("netDevices"), &edits.net_devices, faults);
    for (index, mount) in edits.mounts.iter().enumerate() {
        check_mount(&place.field("mounts").item(index), mount, faults);
    }
    for (index, hook) in edits.hooks.iter().enumerate() {
        check_hook(&place.field("hooks").item(index), hook, faults);
    }
    if let Some(rdt) = &edits.intel_rdt {
        faults.extend(check_rdt(&place.field("intelRdt"), rdt));
    }
}

fn check_env(place: &Place<'_>, env: &[String], faults: &mut Vec<Fault>) {
    for (index, entry) in env.iter().enumerate() {
        let named = entry.split_once('=').is_some_and(|(name, _)| !name.is_empty());
        if !named || entry.contains('\0') {
            faults.push(place.item(index).fault(Rule::Env(entry.clone())));
        }
    }
}

fn check_node(place: &Place<'_>, node: &DeviceNode, faults: &mut Vec<Fault>) {
    check_path(&place.field("path"), &node.path, faults);
    if let Some(host_path) = &node.host_path {
        check_path(&place.field("hostPath"), host_path, faults);
    }
    let permissions = node.permissions.as_deref().unwrap_or_default();
    if permissions != "none" && !permissions.chars().all(|c| "rwm".contains(c)) {
        faults.push(place.field("permissions").fault(Rule::Permissions(permissions.into())));
    }
    if let Some(mode) = node.file_mode.filter(|mode| *mode > 0o7777) {
        faults.push(place.field("fileMode").fault(Rule::FileMode(mode)));
    }
}

fn check_interfaces(place: &Place<'_>, interfaces: &[NetDevice], faults: &mut Vec<Fault>) {
    let mut seen = BTreeSet::new();
    for (index, interface) in interfaces.iter().enumerate() {
        let place = place.item(index);
        for (field, name) in
            [("hostInterfaceName", &interface.host_interface_name), ("name", &interface.name)]
        {
            if name.is_empty() || name.len() > MAX_INTERFACE || name.contains(['/', '\0', ' ']) {
                faults.push(place.field(field).fault(Rule::Interface(name.clone())));
            }
            if !seen.insert((field, name)) {
                faults.push(place.field(field).fault(Rule::Repeated));
            }
        }
    }
}

fn check_mount(place: &Place<'_>, mount: &Mount, faults: &mut Vec<Fault>) {
    check_path(&place.field("containerPath"), &mount.container_path, faults);
    // Of a file system that is no bind mount, this is its source: "tmpfs", a device.
    let binds = mount.kind.as_deref().is_none_or(|kind| matches!(kind, "" | "none" | "bind"));
    if binds {
        check_path(&place.field("hostPath"), &mount.host_path, faults);
    } else if mount.host_path.is_empty() {
        faults.push(place.field("hostPath").fault(Rule::Path(String::new())));
    }
}

fn check_hook(place: &Place<'_>, hook: &Hook, faults: &mut Vec<Fault>) {
    check_path(&place.field("path"), &hook.path, faults);
    check_env(&place.field("env"), &hook.env, faults);
}

fn check_path(place: &Place<'_>, path: &str, faults: &mut Vec<Fault>) {
    if !path.starts_with('/') || path.contains('\0') {
        faults.push(place.fault(Rule::Path(path.into())));
    }
}

fn check_rdt(place: &Place<'_>, rdt: &IntelRdt) -> Option<Fault> {
    let id = rdt.clos_id.as_deref()?;
    let bad = id != "/" && (id == "." || id == ".." || id.len() >= 4096 || id.contains(['/', '\n', '\0']));
    bad.then(|| place.field("closID").fault(Rule::ClosId(id.into())))
}
