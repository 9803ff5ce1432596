//! Each rule of CDI, broken once.

use crate::spec::{samples::full, *};

/// Faults of the full sample after `change`, one a line.
fn broken(change: impl FnOnce(&mut Spec)) -> String {
    let mut spec = full();
    change(&mut spec);
    faults(&spec).iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

type Change = fn(&mut Spec);

#[test]
fn a_document_with_every_field_breaks_no_rule() {
    assert_eq!(broken(|_| {}), "");
    validate(&full()).expect("valid");
}

#[test]
fn each_broken_rule_is_named_with_its_place() {
    let changes: &[Change] = &[
        |spec| spec.cdi_version = Version::V0_6_0,
        |spec| spec.devices.clear(),
        |spec| spec.devices.push(spec.devices[0].clone()),
        |spec| spec.devices[0].container_edits = ContainerEdits::default(),
        |spec| spec.container_edits.env.push("=x".into()),
        |spec| spec.container_edits.env.push("NOVALUE".into()),
        |spec| spec.devices[0].container_edits.device_nodes[0].path = String::new(),
        |spec| spec.devices[0].container_edits.device_nodes[0].host_path = Some("dev/nvidia0".into()),
        |spec| spec.devices[0].container_edits.device_nodes[0].permissions = Some("rx".into()),
        |spec| spec.devices[0].container_edits.device_nodes[0].file_mode = Some(0o20666),
        |spec| spec.container_edits.mounts[0].host_path = "lib".into(),
        |spec| spec.container_edits.mounts[1].host_path = String::new(),
        |spec| spec.container_edits.mounts[0].container_path = "a\0".into(),
        |spec| spec.container_edits.hooks[0].path = "berth-cdi-hook".into(),
        |spec| spec.container_edits.hooks[0].env.push("LD_PRELOAD".into()),
        |spec| spec.devices[0].container_edits.net_devices[0].name = "a-name-that-is-long".into(),
        |spec| {
            let interfaces = &mut spec.devices[0].container_edits.net_devices;
            interfaces.push(NetDevice { name: "b".into(), ..interfaces[0].clone() });
        },
        |spec| drop(spec.annotations.insert("-bad/key".into(), String::new())),
        |spec| drop(spec.devices[0].annotations.insert("large".into(), "x".repeat(256 << 10))),
        |spec| {
            spec.devices[0].container_edits.intel_rdt =
                Some(IntelRdt { clos_id: Some("../a".into()), ..IntelRdt::default() });
        },
    ];
    let lines: Vec<String> = changes.iter().map(|change| broken(*change)).collect();
    assert!(lines.iter().all(|line| !line.is_empty()));
    insta::assert_snapshot!(lines.join("\n"));
}

#[test]
fn none_is_a_permission_of_its_own() {
    assert_eq!(
        broken(|spec| spec.devices[0].container_edits.device_nodes[0].permissions = Some("none".into())),
        ""
    );
}
