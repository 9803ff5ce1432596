//! A node on disk is what was planned.
#![expect(clippy::tests_outside_test_module, reason = "an integration test is a test module")]
#![expect(clippy::disallowed_methods, reason = "looks at real files")]

use std::{
    fs,
    os::unix::fs::{FileTypeExt, MetadataExt},
    path::Path,
};

use berth_node::{Node, Recipe, layout::Layout, machine};
use nix::sys::stat::{major, minor};

fn recipe(gpus: &str) -> Recipe {
    let boards = machine::parse_gpus(gpus).expect("boards");
    Recipe::new(Layout::Debian, machine::place(&boards, &[]).expect("slots"))
}

fn numbers(path: &Path) -> (u64, u64) {
    let found = fs::metadata(path).expect("a node");
    assert!(found.file_type().is_char_device(), "{}", path.display());
    (major(found.rdev()), minor(found.rdev()))
}

#[test]
fn device_nodes_are_real_and_have_the_drivers_numbers() {
    let root = tempfile::tempdir().expect("a root");
    Node::create(root.path(), &recipe("2xh200")).expect("a node");
    let dev = root.path().join("dev");
    for (name, expected) in [
        ("nvidia0", (195, 0)),
        ("nvidia1", (195, 1)),
        ("nvidiactl", (195, 255)),
        ("nvidia-modeset", (195, 254)),
        ("nvidia-uvm", (511, 0)),
        ("nvidia-caps/nvidia-cap1", (236, 1)),
        ("dri/renderD129", (226, 129)),
        ("dri/by-path/pci-0000:18:00.0-card", (226, 1)),
        ("null", (1, 3)),
    ] {
        assert_eq!(numbers(&dev.join(name)), expected, "{name}");
    }
    assert_eq!(fs::metadata(dev.join("dri/card1")).expect("a node").gid(), 44);
    assert_eq!(fs::metadata(dev.join("nvidia0")).expect("a node").mode() & 0o777, 0o666);
}

#[test]
fn unloading_the_driver_takes_its_nodes_away_and_loading_brings_them_back() {
    let root = tempfile::tempdir().expect("a root");
    let mut node = Node::create(root.path(), &recipe("h200")).expect("a node");
    let version = node.machine().kernel.clone();
    node.change(|machine| machine.kernel = None).expect("an unloaded driver");
    for gone in
        ["dev/nvidia0", "dev/nvidia-caps", "dev/dri", "proc/driver/nvidia/version", "sys/class/drm/card1"]
    {
        assert!(fs::symlink_metadata(root.path().join(gone)).is_err(), "{gone}");
    }
    assert!(
        root.path().join("dev/null").exists() && root.path().join("usr/bin/nvidia-cuda-mps-control").exists()
    );

    let mut again = Node::open(root.path()).expect("the node");
    let loaded = again.change(|machine| (machine.kernel, machine.majors.uvm) = (version, 509));
    loaded.expect("a loaded driver");
    assert_eq!(numbers(&root.path().join("dev/nvidia-uvm")), (509, 0));
    let devices = fs::read_to_string(root.path().join("proc/devices")).expect("a list");
    assert!(devices.contains("\n509 nvidia-uvm\n"), "{devices}");
}

#[test]
fn a_folder_without_a_node_is_named() {
    let root = tempfile::tempdir().expect("a root");
    let error = Node::open(root.path()).expect_err("no node").to_string();
    assert!(error.ends_with("is not a simulated node; make one with `berth-node create`"), "{error}");
}
