//! The lowest version, one table.

use crate::spec::{samples::full, *};

/// The smallest document: version 0.3.0 reads it.
fn plain() -> Spec {
    let mut spec = full();
    spec.annotations.clear();
    spec.container_edits = ContainerEdits::default();
    spec.devices[0].name = "gpu0".parse().expect("a name");
    spec.devices[0].annotations.clear();
    let node = DeviceNode { path: "/dev/nvidia0".into(), ..DeviceNode::default() };
    spec.devices[0].container_edits =
        ContainerEdits { device_nodes: vec![node], ..ContainerEdits::default() };
    spec
}

type Change = fn(&mut Spec);

#[test]
fn each_addition_of_cdi_asks_for_its_version_and_no_more() {
    let cases: &[(&str, Change, Version)] = &[
        ("nothing new", |_| {}, Version::V0_3_0),
        (
            "type of a mount",
            |spec| spec.container_edits.mounts.push(Mount { kind: Some("bind".into()), ..Mount::default() }),
            Version::V0_4_0,
        ),
        ("digit first", |spec| spec.devices[0].name = "0".parse().expect("a name"), Version::V0_5_0),
        (
            "host path",
            |spec| spec.devices[0].container_edits.device_nodes[0].host_path = Some("/x".into()),
            Version::V0_5_0,
        ),
        (
            "dot in the class",
            |spec| spec.kind = "nvidia.com/gpu.coherent".parse().expect("a kind"),
            Version::V0_6_0,
        ),
        ("annotation", |spec| drop(spec.annotations.insert("a".into(), "b".into())), Version::V0_6_0),
        (
            "annotation of a device",
            |spec| drop(spec.devices[0].annotations.insert("a".into(), "b".into())),
            Version::V0_6_0,
        ),
        ("groups", |spec| spec.devices[0].container_edits.additional_gids.push(44), Version::V0_7_0),
        ("groups of all", |spec| spec.container_edits.additional_gids.push(44), Version::V0_7_0),
        ("rdt", |spec| spec.container_edits.intel_rdt = Some(IntelRdt::default()), Version::V0_7_0),
        (
            "monitoring",
            |spec| {
                spec.container_edits.intel_rdt =
                    Some(IntelRdt { enable_monitoring: true, ..IntelRdt::default() });
            },
            Version::V1_1_0,
        ),
        (
            "network",
            |spec| {
                let interface = NetDevice { host_interface_name: "a".into(), name: "b".into() };
                spec.container_edits.net_devices.push(interface);
            },
            Version::V1_1_0,
        ),
    ];
    for (what, change, version) in cases {
        let mut spec = plain();
        change(&mut spec);
        assert_eq!(required_version(&spec), *version, "{what}");
    }
}

#[test]
fn versions_are_ordered_and_shown_as_read() {
    let names = ["0.1.0", "0.2.0", "0.3.0", "0.4.0", "0.5.0", "0.6.0", "0.7.0", "0.8.0", "1.0.0", "1.1.0"];
    let versions: Vec<Version> = names.iter().map(|name| name.parse().expect(name)).collect();
    assert!(versions.is_sorted());
    assert_eq!(versions.iter().map(ToString::to_string).collect::<Vec<_>>(), names);
    "1.2.0".parse::<Version>().expect_err("not released");
}
