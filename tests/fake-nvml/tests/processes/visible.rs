//! What a process sees that cannot open all device nodes, as in a container.
#![expect(clippy::disallowed_methods, reason = "device nodes are made")]

use std::{fs, os::unix::net::UnixListener};

use crate::common::Node;
use berth_fake_nvml::{
    abi::visible::capability_minor,
    state::{GpuConfig, NodeConfig, Options},
};

#[test]
fn only_gpus_and_mig_devices_whose_nodes_open_are_listed() {
    let devices = tempfile::tempdir().expect("a folder");
    let gpu = GpuConfig { product: "h100-sxm-80gb".into(), mig: true, ..GpuConfig::default() };
    let options = Options {
        visible_by_device_nodes: true,
        device_folder: Some(devices.path().into()),
        anyone_may_change: true,
        ..Options::default()
    };
    let node = Node::new(&NodeConfig { gpus: vec![gpu; 3], options, ..NodeConfig::uniform("t4", 0) });
    let nodes = |minors: &[u32]| {
        for minor in minors {
            fs::write(devices.path().join(format!("nvidia-caps/nvidia-cap{minor}")), "").expect("a node");
        }
    };
    fs::create_dir(devices.path().join("nvidia-caps")).expect("a folder");

    let mut client = node.client();
    assert_eq!(client.ask("init"), "ok");
    assert_eq!(client.ask("count"), "ok 0");
    fs::write(devices.path().join("nvidia2"), "").expect("a node");
    let mut client = node.client();
    assert_eq!((client.ask("init"), client.ask("count")), ("ok".into(), "ok 1".into()));

    // One GPU, minor 2, is index 0 here. Two MIG devices; the nodes of the second are there alone.
    for line in ["create 0 9", "create 0 9", "create-compute 0 1 2", "create-compute 0 2 2"] {
        assert!(client.ask(line).starts_with("ok"), "{line}");
    }
    let (first, second) = (capability_minor(2, 1), capability_minor(2, 2));
    nodes(&[second]);
    assert_eq!(client.ask("devices 0"), "ok");
    nodes(&[second + 1]);
    let alone = client.ask("devices 0");
    assert_eq!(alone.matches("MIG-").count(), 1, "{alone}");
    nodes(&[first, first + 1]);
    let both = client.ask("devices 0");
    assert!(both.ends_with(alone.trim_start_matches("ok ")) && both.matches("MIG-").count() == 2, "{both}");
}

#[test]
fn a_node_without_a_driver_behind_it_counts_as_opened() {
    let devices = tempfile::tempdir().expect("a folder");
    let options = Options {
        visible_by_device_nodes: true,
        device_folder: Some(devices.path().into()),
        ..Options::default()
    };
    let node = Node::new(&NodeConfig { options, ..NodeConfig::uniform("t4", 2) });
    // A socket's file answers an open with ENXIO, as a device node without a driver does.
    let _socket = UnixListener::bind(devices.path().join("nvidia1")).expect("a socket");
    let mut client = node.client();
    assert_eq!((client.ask("init"), client.ask("count")), ("ok".into(), "ok 1".into()));
}

#[test]
fn a_process_that_finds_the_nodes_mark_sees_all() {
    let devices = tempfile::tempdir().expect("a folder");
    let options = Options {
        visible_by_device_nodes: true,
        device_folder: Some(devices.path().into()),
        node_mark: Some(devices.path().join("mark")),
        ..Options::default()
    };
    let node = Node::new(&NodeConfig { options, ..NodeConfig::uniform("t4", 2) });
    for (marked, expected) in [(false, "ok 0"), (true, "ok 2")] {
        if marked {
            fs::write(devices.path().join("mark"), "").expect("a mark");
        }
        let mut client = node.client();
        assert_eq!((client.ask("init").as_str(), client.ask("count").as_str()), ("ok", expected));
    }
}

#[test]
fn capability_nodes_are_numbered_as_the_driver_numbers_them() {
    assert_eq!((capability_minor(0, 0), capability_minor(0, 7), capability_minor(1, 0)), (3, 66, 138));
}
