//! Inside, the node is the machine; outside, nothing has changed.
#![expect(clippy::tests_outside_test_module, reason = "an integration test is a test module")]
#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "looks at real files and runs programs"
)]

use std::{fs, path::Path, process::Command};

use berth_node::{
    Node, Recipe,
    enter::Namespace,
    layout::Layout,
    machine::{self, Feature},
};

fn node(root: &Path, layout: Layout, features: &[Feature]) -> Namespace {
    let boards = machine::parse_gpus("2xh200").expect("boards");
    let mut recipe = Recipe::new(layout, machine::place(&boards, &[]).expect("slots"));
    recipe.features = features.to_vec();
    Node::create(root, &recipe).expect("a node");
    Namespace::new(root).expect("a namespace; this test needs root")
}

fn text(path: &str) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| error.to_string())
}

#[test]
fn programs_see_the_nodes_files_at_their_own_places() {
    let root = tempfile::tempdir().expect("a root");
    let inside = node(root.path(), Layout::Debian, &[Feature::Persistenced, Feature::Mps]);
    let told = inside.inside(|| {
        let script = "test -c /dev/nvidia1 && test -c /dev/pts/ptmx && test -S /run/nvidia-persistenced/socket && \
                      test -d /tmp/nvidia-mps && test -e /sys/module/nvidia/version && \
                      test -e /sys/class/drm/card2/device/vendor && test -e /sys/class/net/lo && \
                      grep -q nvidia-uvm /proc/devices && cat /proc/driver/nvidia/params && nvidia-smi";
        Command::new("sh").args(["-ec", script]).output().expect("a shell")
    });
    let told = told.expect("inside");
    let said = String::from_utf8_lossy(&told.stdout).into_owned();
    assert!(told.status.success(), "{told:?}");
    assert!(said.contains("ModifyDeviceFiles: 1") && said.ends_with("of driver 550.163.01\n"), "{said}");
}

#[test]
fn outside_nothing_has_changed() {
    let before = (text("/proc/self/mountinfo"), text("/proc/devices"));
    let root = tempfile::tempdir().expect("a root");
    let inside = node(root.path(), Layout::Debian, &[Feature::Mps]);
    let marks = inside.inside(|| {
        ["/etc/berth-mark", "/run/berth-mark", "/dev/berth-mark", "/var/lib/berth-mark"]
            .map(|path| fs::write(path, "x"))
    });
    assert!(marks.expect("inside").iter().all(Result::is_ok));
    let written = ["/etc/berth-mark", "/run/berth-mark", "/dev/berth-mark", "/var/lib/berth-mark"];
    for path in written.iter().chain(&["/dev/nvidia0", "/tmp/nvidia-mps"]) {
        assert!(fs::symlink_metadata(path).is_err(), "{path} is seen outside");
    }
    assert_eq!(before, (text("/proc/self/mountinfo"), text("/proc/devices")));
}

#[test]
fn the_machines_programs_cannot_be_written_from_inside() {
    let root = tempfile::tempdir().expect("a root");
    let inside = node(root.path(), Layout::LdcacheOnly, &[]);
    let refused = inside.inside(|| fs::write("/usr/bin/berth-mark", "x")).expect("inside");
    assert_eq!(refused.expect_err("a read-only /usr").kind(), std::io::ErrorKind::ReadOnlyFilesystem);
    let hidden = inside.inside(|| Path::new("/var/lib/nvidia/lib64/libcuda.so.1").exists());
    assert!(hidden.expect("inside"), "/var is laid over");
}

#[test]
fn a_change_of_the_node_is_seen_by_who_is_inside() {
    let root = tempfile::tempdir().expect("a root");
    let inside = node(root.path(), Layout::Debian, &[]);
    let mut node = Node::open(root.path()).expect("the node");
    node.change(|machine| machine.kernel = None).expect("an unloaded driver");
    let seen = inside.inside(|| (Path::new("/dev/nvidia0").exists(), text("/proc/devices")));
    let (there, devices) = seen.expect("inside");
    assert!(!there && !devices.contains("nvidia"), "{devices}");
}

#[test]
fn two_who_are_inside_share_specs_and_both_can_write() {
    let root = tempfile::tempdir().expect("a root");
    let first = node(root.path(), Layout::Debian, &[]);
    let second = Namespace::new(root.path()).expect("a namespace");
    let absent = second.inside(|| Path::new("/etc/cdi/a.json").exists()).expect("inside");
    first.inside(|| fs::write("/etc/cdi/a.json", "{}")).expect("inside").expect("a spec");
    let there = second.inside(|| Path::new("/etc/cdi/a.json").exists()).expect("inside");
    assert!(!absent && there);
    assert!(root.path().join("etc/cdi/a.json").exists(), "seen from outside");
    for (namespace, path) in [(&first, "/etc/passwd"), (&second, "/etc/group"), (&first, "/etc/hosts")] {
        let written = namespace.inside(move || fs::write(path, "x")).expect("inside");
        written.unwrap_or_else(|error| panic!("{path}: {error}"));
    }
}

#[test]
fn a_folder_that_is_no_node_is_not_entered() {
    let root = tempfile::tempdir().expect("a root");
    let error = Namespace::new(root.path()).expect_err("no node").to_string();
    assert!(error.ends_with("make a node there with `berth-node create`"), "{error}");
}
