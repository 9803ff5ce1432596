//! What breaks, and what stays.

use std::{path::Path, time::Duration};

use berth_allocator::inventory::Coherence;
use berth_cdi::host::{NvmlError, Want};
use berth_fake_nvml::{state::GpuFault, symbols::hide_symbols};
use berth_node::layout::Layout;

use super::*;

/// NVML's `nvmlReturn_t` of a call that is not allowed.
const NO_PERMISSION: u32 = 4;
/// And of one that fails for no known reason.
const UNKNOWN: u32 = 999;

#[test]
fn a_lost_gpu_is_named_and_the_others_stay() {
    let simulated = Simulated::new(Layout::Debian, "4xh200", |_| {});
    simulated
        .node
        .edit(|state| {
            state.gpus[1].fault = GpuFault::Lost;
            state.gpus[2].fault = GpuFault::FallenOff;
        })
        .expect("faults");
    let snapshot = simulated.observe(&[Want::Inventory]).expect("a snapshot");
    assert_eq!(snapshot.inventory.gpus.iter().map(|gpu| gpu.index).collect::<Vec<_>>(), [0, 3]);
    let faulty: Vec<_> = snapshot.inventory.faulty.iter().map(|gpu| (gpu.index, &*gpu.reason)).collect();
    let reason =
        "the GPU is lost, it has fallen off the bus; look at dmesg for its XID and reset or replace it";
    assert_eq!(faulty, [(1, reason), (2, reason)]);
}

#[test]
fn a_gpu_without_its_node_is_named_and_the_others_stay() {
    let simulated = Simulated::new(Layout::Debian, "2xh200", |_| {});
    fs::remove_file(simulated.path(Path::new("/dev/nvidia0"))).expect("a node");
    let snapshot = simulated.observe(&[Want::Inventory]).expect("a snapshot");
    assert_eq!(snapshot.inventory.gpus.iter().map(|gpu| gpu.index).collect::<Vec<_>>(), [1]);
    assert_eq!(
        snapshot.inventory.faulty[0].reason,
        "/dev/nvidia0 is missing; make it with nvidia-modprobe -c 0"
    );
}

#[test]
fn what_nvml_refuses_is_told_with_what_to_do() {
    let simulated = Simulated::new(Layout::Debian, "h200", |_| {});
    let refusal = || simulated.observe(&[Want::Inventory]).expect_err("a refusal").to_string();
    simulated.node.edit(|state| state.faults.driver_not_loaded = true).expect("a fault");
    assert!(refusal().ends_with("the driver's kernel module is not loaded; load it with modprobe nvidia"));
    simulated
        .node
        .edit(|state| {
            state.faults.driver_not_loaded = false;
            state.faults.version_mismatch = true;
        })
        .expect("a fault");
    assert!(refusal().contains("are of different versions; reload the module or reboot"), "{}", refusal());
    simulated
        .node
        .edit(|state| {
            state.faults.version_mismatch = false;
            state.faults.functions.insert("nvmlInit_v2".into(), NO_PERMISSION);
        })
        .expect("a fault");
    assert!(refusal().contains("no permission for the device nodes"), "{}", refusal());
}

#[test]
fn libraries_of_another_version_than_the_driver_are_refused_and_both_are_named() {
    let simulated = Simulated::new(Layout::Debian, "h200", |_| {});
    simulated.node.edit(|state| state.driver.version = "560.35.03".into()).expect("an upgrade");
    let error = simulated.observe(&Want::NVML).expect_err("half an upgrade");
    assert_eq!(
        error.to_string(),
        "the driver that runs is 560.35.03, but the libraries below / are 550.163.01; finish the upgrade, or reload \
         the kernel module or reboot"
    );
}

#[test]
fn a_call_that_hangs_ends_at_the_deadline() {
    let simulated = Simulated::new(Layout::Debian, "h200", |_| {});
    simulated.node.edit(|state| state.faults.slow_call_ms = 5_000).expect("a fault");
    let deadline = Duration::from_millis(50);
    let options = Options { nvml_deadline: deadline, ..Options::new([Want::Inventory], "") };
    let error = simulated.observe_with(&options).expect_err("no answer in time");
    assert!(matches!(error, HostError::Nvml(NvmlError::Deadline(given)) if given == deadline), "{error}");
}

#[test]
fn what_an_older_library_lacks_is_not_known_and_nothing_more() {
    let absent = [
        "nvmlDeviceGetAddressingMode",
        "nvmlDeviceGetMigMode",
        "nvmlSystemGetCudaDriverVersion_v2",
        "nvmlShutdown",
    ];
    let hide = |library: Vec<u8>| hide_symbols(&library, &absent).expect("symbols to hide");
    let simulated = Simulated::with_library(Layout::Debian, "gb200", |_| {}, hide);
    let snapshot = simulated.observe(&Want::NVML).expect("a snapshot");
    assert_eq!(snapshot.inventory.gpus.len(), 1);
    assert_eq!(snapshot.inventory.gpus[0].coherence, Coherence::Unknown);

    let hide = |library: Vec<u8>| hide_symbols(&library, &["nvmlInit_v2"]).expect("symbols to hide");
    let simulated = Simulated::with_library(Layout::Debian, "h200", |_| {}, hide);
    let error = simulated.observe(&Want::NVML).expect_err("no way in");
    assert!(error.to_string().contains("NVML is too old for this question"), "{error}");
}

#[test]
fn one_mig_device_that_does_not_answer_is_named_and_the_others_stay() {
    let simulated = Simulated::new(Layout::Debian, "h200", |recipe| {
        recipe.mig = vec![(0, mig::cut(&["1g.18gb", "2g.35gb"]))];
    });
    for (function, left_out, kept) in [
        ("nvmlDeviceGetMaxMigDeviceCount", "gpu 0", 0),
        ("nvmlDeviceGetComputeInstanceId", "mig 0:0", 0),
        ("nvmlDeviceGetAddressingMode", "", 2),
    ] {
        let fault = |state: &mut berth_fake_nvml::state::State| {
            state.faults.functions = [(function.to_owned(), UNKNOWN)].into();
        };
        simulated.node.edit(fault).expect("a fault");
        let snapshot = simulated.observe(&[Want::Inventory]).expect("a snapshot");
        assert_eq!(snapshot.inventory.gpus[0].mig_devices.len(), kept, "{function}");
        let first = snapshot.left_out.first().map_or("", |left| left.what.as_str());
        assert_eq!(first, left_out, "{function}");
    }
}
