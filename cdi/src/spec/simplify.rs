//! The shortest document of the same meaning, in one order.
//!
//! What stands in the common edits is made with any device, so a device need not repeat it; a device whose edits
//! would all go keeps them, because runtimes refuse a device without edits. Hooks and environment run and apply in the
//! order given, which is kept; all else is sorted, so that equal content has equal bytes.

use super::{ContainerEdits, Device, DeviceName, DeviceNode, Mount, Spec};

impl Spec {
    /// Removes repeats, and from devices what is common; sorts devices by name and edits by [`ContainerEdits::sort`].
    pub fn simplify(&mut self) {
        self.container_edits.tidy();
        for device in &mut self.devices {
            device.container_edits.tidy();
            drop_common(&mut device.container_edits, &self.container_edits);
        }
        self.devices.sort_by(|a, b| a.name.cmp(&b.name));
    }

    /// A device `name` that makes all edits of all devices, without repeats.
    #[must_use]
    pub fn merged(&self, name: DeviceName) -> Device {
        let mut container_edits = ContainerEdits::default();
        for device in &self.devices {
            container_edits.append(device.container_edits.clone());
        }
        container_edits.tidy();
        Device { name, annotations: std::collections::BTreeMap::new(), container_edits }
    }
}

impl ContainerEdits {
    /// Adds all of `other` behind what is there; of two settings of Intel RDT the later one holds.
    pub fn append(&mut self, other: Self) {
        self.env.extend(other.env);
        self.device_nodes.extend(other.device_nodes);
        self.net_devices.extend(other.net_devices);
        self.mounts.extend(other.mounts);
        self.hooks.extend(other.hooks);
        self.intel_rdt = other.intel_rdt.or_else(|| self.intel_rdt.take());
        self.additional_gids.extend(other.additional_gids);
    }

    /// Nodes and mounts by depth of their path, then by path, so that a folder comes before what is in it; groups by
    /// number; network devices by name.
    pub fn sort(&mut self) {
        self.device_nodes.sort_by(|a, b| node_order(a).cmp(&node_order(b)));
        self.mounts.sort_by(|a, b| mount_order(a).cmp(&mount_order(b)));
        self.net_devices.sort();
        self.additional_gids.sort_unstable();
    }

    fn tidy(&mut self) {
        dedupe(&mut self.env);
        dedupe(&mut self.hooks);
        self.sort();
        // Sorted lists have their repeats side by side; a device of many others has hundreds of nodes.
        self.device_nodes.dedup();
        self.net_devices.dedup();
        self.mounts.dedup();
        self.additional_gids.dedup();
    }
}

fn drop_common(edits: &mut ContainerEdits, common: &ContainerEdits) {
    let mut rest = edits.clone();
    rest.env.retain(|entry| !common.env.contains(entry));
    rest.device_nodes.retain(|node| !common.device_nodes.contains(node));
    rest.net_devices.retain(|device| !common.net_devices.contains(device));
    rest.mounts.retain(|mount| !common.mounts.contains(mount));
    rest.hooks.retain(|hook| !common.hooks.contains(hook));
    rest.additional_gids.retain(|gid| !common.additional_gids.contains(gid));
    if rest.intel_rdt == common.intel_rdt {
        rest.intel_rdt = None;
    }
    if !rest.is_empty() {
        *edits = rest;
    }
}

/// Keeps the first of equal entries, in order. These lists have a handful of entries, so no set is built.
fn dedupe<T: PartialEq>(entries: &mut Vec<T>) {
    let mut kept: Vec<T> = Vec::with_capacity(entries.len());
    for entry in entries.drain(..) {
        if !kept.contains(&entry) {
            kept.push(entry);
        }
    }
    *entries = kept;
}

/// Ends in the whole entry: two that differ anywhere have one order.
fn node_order(node: &DeviceNode) -> (usize, &str, &DeviceNode) {
    (depth(&node.path), &node.path, node)
}

fn mount_order(mount: &Mount) -> (usize, &str, &Mount) {
    (depth(&mount.container_path), &mount.container_path, mount)
}

fn depth(path: &str) -> usize {
    path.split('/').filter(|part| !part.is_empty()).count()
}
