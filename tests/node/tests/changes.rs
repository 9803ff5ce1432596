//! What happens to a node shows in its files and in NVML's state, in step.
#![expect(clippy::tests_outside_test_module, reason = "an integration test is a test module")]
#![expect(clippy::disallowed_methods, reason = "looks at real files")]

use std::{fs, path::Path};

use berth_fake_nvml::state::{EventKind, GpuFault};
use berth_node::{
    Node, Recipe,
    change::{self, Fault, Stage},
    driver::nvml_library,
    layout::Layout,
    machine::{self, Feature},
    node::DriverSource,
    nvml::MigChange,
};

fn node(root: &Path, gpus: &str) -> Node {
    let boards = machine::parse_gpus(gpus).expect("boards");
    Node::create(root, &Recipe::new(Layout::Debian, machine::place(&boards, &[]).expect("slots")))
        .expect("a node")
}

fn names(folder: &Path) -> Vec<String> {
    let listed = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<String> =
        listed.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

fn create(profile: &str) -> MigChange {
    MigChange::Create(profile.parse().expect("a profile"))
}

#[test]
fn capability_nodes_follow_mig_whoever_changes_it() {
    let root = tempfile::tempdir().expect("a root");
    let mut node = node(root.path(), "2xh200");
    let caps = root.path().join("dev/nvidia-caps");
    assert_eq!(names(&caps), ["nvidia-cap1", "nvidia-cap2"]);

    change::mig(&mut node, 1, &MigChange::Enable).expect("mig");
    change::mig(&mut node, 1, &create("1g.18gb")).expect("an instance");
    assert_eq!(names(&caps), ["nvidia-cap1", "nvidia-cap2", "nvidia-cap201", "nvidia-cap202"]);
    let file = root.path().join("proc/driver/nvidia/capabilities/gpu1/mig/gi7/ci0/access");
    assert_eq!(
        fs::read_to_string(&file).expect("a capability"),
        "DeviceFileMinor: 202\nDeviceFileMode: 292\nDeviceFileModify: 1\n"
    );

    // As nvidia-smi does it: in NVML's state alone.
    let destroyed =
        node.store().update(|state| berth_node::nvml::change(state, 1, &MigChange::Destroy(None)));
    destroyed.expect("no instances");
    assert_eq!(names(&caps).len(), 4, "nothing has told the files yet");
    node.sync().expect("a node in step");
    assert_eq!(names(&caps), ["nvidia-cap1", "nvidia-cap2"]);
    assert!(!file.exists());
}

#[test]
fn a_refused_change_of_mig_changes_nothing() {
    let root = tempfile::tempdir().expect("a root");
    let mut node = node(root.path(), "t4");
    let before = node.store().read().expect("a state");
    let error = change::mig(&mut node, 0, &MigChange::Enable).expect_err("a board without mig");
    assert_eq!(error.to_string(), "gpu 0 refuses");
    assert_eq!(node.store().read().expect("a state"), before);
}

#[test]
fn an_upgrade_can_stop_at_each_stage_and_go_on() {
    let root = tempfile::tempdir().expect("a root");
    let mut node = node(root.path(), "h200");
    let source = DriverSource::StandIn("570.86.15".parse().expect("a version"));
    let folder = root.path().join("usr/lib/x86_64-linux-gnu/nvidia/current");
    let link = || fs::read_link(folder.join("libcuda.so.1")).expect("a link").display().to_string();
    let has = |version: &str| folder.join(format!("libcuda.so.{version}")).exists();
    let state = |node: &Node| node.store().read().expect("a state");

    change::upgrade(&mut node, &source, Stage::Unpacked).expect("new files");
    assert_eq!((link().as_str(), has("550.163.01"), has("570.86.15")), ("libcuda.so.550.163.01", true, true));
    assert!(!state(&node).faults.version_mismatch);

    change::upgrade(&mut node, &source, Stage::Linked).expect("new links");
    assert_eq!((link().as_str(), has("550.163.01"), has("570.86.15")), ("libcuda.so.570.86.15", false, true));
    assert!(state(&node).faults.version_mismatch);
    let module = root.path().join("sys/module/nvidia/version");
    assert_eq!(fs::read_to_string(&module).expect("a version"), "550.163.01\n");

    change::upgrade(&mut node, &source, Stage::Loaded).expect("a new module");
    assert_eq!(fs::read_to_string(&module).expect("a version"), "570.86.15\n");
    let driver = state(&node).driver;
    assert_eq!((driver.version.as_str(), driver.cuda), ("570.86.15", 12080));
    assert!(!state(&node).faults.version_mismatch);
}

#[test]
fn a_reload_gives_new_numbers_and_takes_instances_away() {
    let root = tempfile::tempdir().expect("a root");
    let mut node = node(root.path(), "h200");
    change::mig(&mut node, 0, &MigChange::Enable).expect("mig");
    change::mig(&mut node, 0, &create("7g.141gb")).expect("an instance");
    change::unload(&mut node).expect("an unloaded driver");
    assert!(node.store().read().expect("a state").faults.driver_not_loaded);
    assert!(!root.path().join("dev/nvidia0").exists());
    change::load(&mut node, Some(508)).expect("a loaded driver");
    let devices = fs::read_to_string(root.path().join("proc/devices")).expect("a list");
    assert!(devices.contains("\n508 nvidia-uvm\n"), "{devices}");
    assert_eq!(names(&root.path().join("dev/nvidia-caps")), ["nvidia-cap1", "nvidia-cap2"]);
}

#[test]
fn a_gpu_is_pulled_out_and_another_takes_its_slot() {
    let root = tempfile::tempdir().expect("a root");
    let mut node = node(root.path(), "3xh200");
    change::remove(&mut node, 1).expect("two gpus");
    assert_eq!(names(&root.path().join("sys/bus/pci/devices")), ["0000:18:00.0", "0000:3a:00.0"]);
    assert!(!root.path().join("dev/nvidia1").exists());
    let counted = |node: &Node| {
        node.store().read().expect("a state").gpus.iter().filter(|gpu| gpu.is_counted()).count()
    };
    assert_eq!(counted(&node), 2);

    let boards = machine::parse_gpus("b200").expect("a board");
    let new = machine::place(&boards, &node.machine().gpus).expect("a slot").remove(0);
    change::add(&mut node, &new).expect("three gpus");
    assert!(root.path().join("dev/nvidia1").exists());
    let state = node.store().read().expect("a state");
    assert_eq!(state.gpu(1).expect("a gpu").product, "b200");
    assert_eq!(counted(&node), 3);
    change::remove(&mut node, 9).expect_err("no such gpu");
}

#[test]
fn faults_come_and_go_and_a_missing_function_is_missing_from_the_library() {
    let root = tempfile::tempdir().expect("a root");
    let library = nvml_library::beside_program().expect("the simulated NVML");
    let whole = fs::read(&library).expect("a library");
    let boards = machine::parse_gpus("h200").expect("a board");
    let mut recipe = Recipe::new(Layout::Rpm, machine::place(&boards, &[]).expect("a slot"));
    recipe.nvml = Some(library);
    let mut node = Node::create(&root.path().join("node"), &recipe).expect("a node");
    let installed = root.path().join("node/usr/lib64/libnvidia-ml.so.550.163.01");

    change::fault(&mut node, &Fault::Gpu(0, GpuFault::Lost)).expect("a lost gpu");
    change::fault(&mut node, &Fault::MissingSymbol("nvmlDeviceGetUUID".into())).expect("an older library");
    assert_eq!(node.store().read().expect("a state").gpus[0].fault, GpuFault::Lost);
    assert!(fs::read(&installed).expect("a library") != whole, "a function is hidden");
    let unknown =
        change::fault(&mut node, &Fault::MissingSymbol("nvmlNone".into())).expect_err("no function");
    assert!(unknown.to_string().starts_with("cannot make "), "{unknown}");

    change::clear(&mut node).expect("all mended");
    assert_eq!(node.store().read().expect("a state").gpus[0].fault, GpuFault::None);
    assert!(fs::read(&installed).expect("a library") == whole, "whole again");
    change::fault(&mut node, &Fault::Gpu(7, GpuFault::Lost)).expect_err("no such gpu");
}

#[test]
fn what_the_driver_tells_is_in_the_state_for_those_who_wait() {
    let root = tempfile::tempdir().expect("a root");
    let node = node(root.path(), "2xh200");
    change::event(&node, 1, EventKind::Xid(63)).expect("an xid");
    change::memory_error(&node, 0, true).expect("a memory error");
    let state = node.store().read().expect("a state");
    let told: Vec<(u32, EventKind)> = state.events.since(0).map(|event| (event.minor, event.kind)).collect();
    assert_eq!(told, [(1, EventKind::Xid(63)), (0, EventKind::SingleBitEcc)]);
    change::event(&node, 5, EventKind::Xid(63)).expect_err("no such gpu");
}

#[test]
fn a_late_socket_appears_and_goes_without_touching_anything_else() {
    let root = tempfile::tempdir().expect("a root");
    let mut node = node(root.path(), "h200");
    let socket = root.path().join("run/nvidia-persistenced/socket");
    change::feature(&mut node, Feature::Persistenced, true).expect("a socket");
    fs::symlink_metadata(&socket).expect("a socket");
    change::feature(&mut node, Feature::Persistenced, false).expect("no socket");
    assert!(!root.path().join("run/nvidia-persistenced").exists());
    assert!(root.path().join("dev/nvidia0").exists());
}
