//! The shortest form.

use proptest::prelude::*;

use crate::spec::{
    samples::{edits, spec},
    *,
};

fn node(path: &str) -> DeviceNode {
    DeviceNode { path: path.into(), ..DeviceNode::default() }
}

fn device(name: &str, paths: &[&str]) -> Device {
    let device_nodes = paths.iter().map(|path| node(path)).collect();
    let container_edits = ContainerEdits { device_nodes, ..ContainerEdits::default() };
    Device { name: name.parse().expect("a name"), annotations: [].into(), container_edits }
}

fn document(devices: Vec<Device>, common: &[&str]) -> Spec {
    let container_edits = device("x", common).container_edits;
    let kind = "nvidia.com/gpu".parse().expect("a kind");
    Spec { cdi_version: Version::V0_5_0, kind, annotations: [].into(), devices, container_edits }
}

fn paths(edits: &ContainerEdits) -> Vec<&str> {
    edits.device_nodes.iter().map(|node| node.path.as_str()).collect()
}

#[test]
fn devices_stand_in_the_order_of_bytes_and_nodes_behind_their_folders() {
    let mut spec = document(
        vec![device("2", &["/dev/dri/card1", "/dev/nvidia2", "/a/b/c"]), device("10", &["/dev/x"])],
        &[],
    );
    spec.simplify();
    let names: Vec<_> = spec.devices.iter().map(|device| device.name.as_str()).collect();
    assert_eq!(names, ["10", "2"]);
    assert_eq!(paths(&spec.devices[1].container_edits), ["/dev/nvidia2", "/a/b/c", "/dev/dri/card1"]);
}

#[test]
fn entries_of_one_path_have_one_order() {
    let mut spec = document(vec![device("0", &["/dev/a", "/dev/a"])], &[]);
    spec.devices[0].container_edits.device_nodes[1].uid = Some(1);
    let mut turned = spec.clone();
    turned.devices[0].container_edits.device_nodes.reverse();
    spec.simplify();
    turned.simplify();
    assert_eq!(spec, turned);
}

#[test]
fn what_is_common_stands_once_unless_a_device_would_be_left_without_edits() {
    let mut spec = document(
        vec![device("0", &["/dev/ctl", "/dev/nvidia0", "/dev/nvidia0"]), device("1", &["/dev/ctl"])],
        &["/dev/ctl"],
    );
    spec.simplify();
    assert_eq!(paths(&spec.devices[0].container_edits), ["/dev/nvidia0"]);
    assert_eq!(paths(&spec.devices[1].container_edits), ["/dev/ctl"]);
}

#[test]
fn the_merged_device_has_the_nodes_of_all() {
    let spec = document(vec![device("1", &["/dev/b", "/dev/c"]), device("0", &["/dev/a", "/dev/c"])], &[]);
    let all = spec.merged("all".parse().expect("a name"));
    assert_eq!((all.name.as_str(), paths(&all.container_edits)), ("all", vec!["/dev/a", "/dev/b", "/dev/c"]));
}

proptest! {
    #[test]
    fn the_order_of_discovery_does_not_show(spec in spec(), seed in any::<prop::sample::Index>()) {
        let mut shuffled = spec.clone();
        let turn = seed.index(shuffled.devices.len());
        shuffled.devices.rotate_left(turn);
        for device in &mut shuffled.devices {
            device.container_edits.device_nodes.reverse();
            device.container_edits.mounts.reverse();
            device.container_edits.additional_gids.reverse();
        }
        let mut spec = spec;
        spec.simplify();
        shuffled.simplify();
        prop_assert_eq!(spec.render(Format::Yaml), shuffled.render(Format::Yaml));
    }

    #[test]
    fn simplifying_again_changes_nothing_and_leaves_a_valid_document(spec in spec()) {
        let mut once = spec;
        once.simplify();
        let mut twice = once.clone();
        twice.simplify();
        prop_assert_eq!(&once, &twice);
        prop_assert_eq!(faults(&once), vec![]);
    }

    /// What a container with this device gets is the same set before and after.
    #[test]
    fn no_edit_is_lost(common in edits(), mut spec in spec()) {
        spec.container_edits = common;
        let before = spec.clone();
        spec.simplify();
        for device in &before.devices {
            let after = spec.devices.iter().find(|other| other.name == device.name).expect("kept");
            for node in &device.container_edits.device_nodes {
                let kept = after.container_edits.device_nodes.contains(node);
                prop_assert!(kept || spec.container_edits.device_nodes.contains(node));
            }
            for hook in &device.container_edits.hooks {
                prop_assert!(after.container_edits.hooks.contains(hook) || spec.container_edits.hooks.contains(hook));
            }
        }
    }
}
