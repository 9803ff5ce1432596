//! NVIDIA's `nvidia-ctk` on a simulated node: what it finds by the simulated NVML is what the node was made of.

#![expect(clippy::disallowed_types, reason = "runs a program of others")]

use std::process::Command;

use berth_node::{
    Node, Recipe, change,
    driver::nvml_library::beside_program,
    enter::Namespace,
    layout::Layout,
    machine::{parse_gpus, place},
    nvml::MigChange,
};
use berth_packages::{Cache, peer};
use serde_json::Value;

/// Two H200, the second cut in two.
fn divided(folder: &tempfile::TempDir) -> Node {
    let gpus = place(&parse_gpus("2xh200").expect("boards"), &[]).expect("slots");
    let create = |profile: &str| MigChange::Create(profile.parse().expect("a profile"));
    let cut = vec![MigChange::Enable, create("1g.18gb"), create("3g.71gb")];
    let nvml = Some(beside_program().expect("the simulated NVML"));
    let recipe = Recipe { nvml, mig: vec![(1, cut)], ..Recipe::new(Layout::Debian, gpus) };
    Node::create(&folder.path().join("node"), &recipe).expect("a node")
}

/// The names of devices in the spec that `nvidia-ctk` generates on the node, and the nodes of each.
fn devices(node: &Node) -> Vec<(String, Vec<String>)> {
    let ctk = peer(&Cache::of_user()).expect("nvidia-ctk, built from the Go module registry").ctk;
    let generate = move || {
        let arguments = ["--quiet", "cdi", "generate", "--format=json", "--device-name-strategy=index"];
        Command::new(ctk).args(arguments).output().expect("nvidia-ctk runs")
    };
    let output = Namespace::new(node.root()).expect("a namespace").inside(generate).expect("a run inside");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let spec: Value = serde_json::from_slice(&output.stdout).expect("a spec");
    let text =
        |value: &Value, at: &str| value.pointer(at).and_then(Value::as_str).expect("a text").to_owned();
    let list = |value: &Value, at: &str| value.pointer(at).and_then(Value::as_array).expect("a list").clone();
    let nodes = |device: &Value| {
        let nodes = list(device, "/containerEdits/deviceNodes");
        nodes.iter().map(|node| text(node, "/path")).filter(|path| !path.starts_with("/dev/dri/")).collect()
    };
    list(&spec, "/devices").iter().map(|device| (text(device, "/name"), nodes(device))).collect()
}

#[test]
fn it_finds_whole_gpus_and_mig_devices_with_their_capability_nodes() {
    let folder = tempfile::tempdir().expect("a folder");
    let found = devices(&divided(&folder));
    // The driver's numbers: a GPU has 135 of them, an instance nine, the first three are the driver's own.
    let instance = |id: u32| 3 + 135 + 9 * id;
    let parts = |ids: &[u32]| -> Vec<String> {
        let minors = ids.iter().flat_map(|id| [instance(*id), instance(*id) + 1]);
        minors.map(|minor| format!("/dev/nvidia-caps/nvidia-cap{minor}")).collect()
    };
    let with = |gpus: &[&str], ids: &[u32]| -> Vec<String> {
        gpus.iter().map(|gpu| (*gpu).to_owned()).chain(parts(ids)).collect()
    };
    let wanted = [
        ("0".to_owned(), with(&["/dev/nvidia0"], &[])),
        ("1:0".to_owned(), with(&["/dev/nvidia1"], &[1])),
        ("1:1".to_owned(), with(&["/dev/nvidia1"], &[7])),
        ("all".to_owned(), with(&["/dev/nvidia0", "/dev/nvidia1"], &[1, 7])),
    ];
    assert_eq!(found, wanted);
}

#[test]
fn it_sees_what_changed_since() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut node = divided(&folder);
    change::mig(&mut node, 1, &MigChange::Destroy(Some(7))).expect("an instance gone");
    let names: Vec<String> = devices(&node).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["0", "1:0", "all"]);
}
