//! What `nvidia-smi` sets, and whether it stands in the state afterwards.

use berth_fake_nvml::state::{ComputeMode, Gpu, TimeSlice};

use crate::common::Node;

fn gpu(node: &Node, index: usize) -> Gpu {
    node.store.read().expect("a state").gpus.get(index).expect("a GPU").clone()
}

#[test]
fn modes_are_set() {
    let node = Node::new("h200-141gb", 2);
    node.smi_prints(&["-i", "1", "-pm", "1"]);
    node.smi_prints(&["-i", "1", "-c", "EXCLUSIVE_PROCESS"]);
    assert_eq!(
        (gpu(&node, 1).persistence, gpu(&node, 1).compute_mode),
        (true, ComputeMode::ExclusiveProcess)
    );
    assert_eq!((gpu(&node, 0).persistence, gpu(&node, 0).compute_mode), (false, ComputeMode::Default));
    node.smi_prints(&["-i", "1", "-pm", "0"]);
    node.smi_prints(&["-i", "1", "-c", "0"]);
    assert_eq!((gpu(&node, 1).persistence, gpu(&node, 1).compute_mode), (false, ComputeMode::Default));
}

#[test]
fn time_slices_are_set_and_listed() {
    let node = Node::new("a100-sxm4-40gb", 2);
    for (number, slice, name) in [
        ("1", TimeSlice::Short, "Short"),
        ("2", TimeSlice::Medium, "Medium"),
        ("3", TimeSlice::Long, "Long"),
        ("0", TimeSlice::Default, "Default"),
    ] {
        let set = node.smi_prints(&["compute-policy", "-i", "1", "--set-timeslice", number]);
        assert!(set.starts_with("Successfully set timeslice policy"), "{set}");
        assert_eq!((gpu(&node, 0).time_slice, gpu(&node, 1).time_slice), (TimeSlice::Default, slice));
        let listed = node.smi_prints(&["compute-policy", "-i", "1", "--list"]);
        let line = listed.lines().find(|line| line.contains("Timeslice")).expect("a policy");
        assert!(line.contains(name), "{listed}");
    }
}

#[test]
fn limits_and_clocks_are_set_within_what_the_board_takes() {
    let node = Node::new("h200-141gb", 1);
    node.smi_prints(&["-pl", "500"]);
    node.smi_prints(&["-ac", "3201,1200"]);
    let telemetry = gpu(&node, 0).telemetry;
    assert_eq!((telemetry.power_limit_mw, telemetry.application_clocks), (Some(500_000), Some((3201, 1200))));
    assert_ne!(node.smi(&["-pl", "1000"]).code, Some(0), "more than the board takes");
    assert_eq!(gpu(&node, 0).telemetry, telemetry);
    node.smi_prints(&["-rac"]);
    assert_eq!(gpu(&node, 0).telemetry.application_clocks, None);
}

#[test]
fn instances_are_made_and_unmade() {
    let node = Node::new("h200-141gb", 1);
    node.smi_prints(&["-mig", "1"]);
    node.smi_prints(&["mig", "-cgi", "3g.71gb,1g.18gb", "-C"]);
    let mig = gpu(&node, 0).mig;
    let devices: Vec<(u32, u32)> =
        mig.devices().map(|(instance, compute)| (instance.profile, compute.id)).collect();
    assert_eq!(devices, [(9, 0), (19, 0)]);
    let busy = node.smi(&["mig", "-dgi"]);
    assert!(busy.code != Some(0) && busy.out.contains("In use by another client"), "{busy:?}");
    node.smi_prints(&["mig", "-dci"]);
    node.smi_prints(&["mig", "-dgi"]);
    assert_eq!(gpu(&node, 0).mig.instances, []);
    node.smi_prints(&["-mig", "0"]);
    assert!(!gpu(&node, 0).mig.enabled);
}

#[test]
fn a_fourth_instance_of_a_kind_that_fits_thrice_is_refused() {
    let node = Node::new("h200-141gb", 1);
    node.smi_prints(&["-mig", "1"]);
    for _ in 0..3 {
        node.smi_prints(&["mig", "-cgi", "2g.35gb"]);
    }
    let fourth = node.smi(&["mig", "-cgi", "2g.35gb"]);
    assert!(fourth.code != Some(0) && fourth.out.contains("Insufficient Resources"), "{fourth:?}");
}

#[test]
fn ampere_waits_for_a_reset() {
    let node = Node::new("a100-sxm4-40gb", 1);
    let set = node.smi(&["-mig", "1"]);
    assert!(set.out.contains("Warning: MIG mode is in pending enable state"), "{set:?}");
    assert_eq!((gpu(&node, 0).mig.enabled, gpu(&node, 0).mig.pending), (false, true));
    let pending =
        node.smi_prints(&["--query-gpu=mig.mode.current,mig.mode.pending", "--format=csv,noheader"]);
    assert_eq!(pending.trim(), "Disabled, Enabled");
}

#[test]
fn fields_are_told_as_they_stand_in_the_state() {
    let node = Node::new("h200-141gb", 2);
    node.store
        .edit(|state| {
            state.gpus[1].telemetry.temperature_c = 77;
            state.gpus[1].telemetry.utilization.gpu = 93;
            state.gpus[1].telemetry.ecc_errors.dram.volatile_uncorrected = 4;
        })
        .expect("a change");
    let fields = "index,serial,pci.bus_id,temperature.gpu,utilization.gpu,ecc.errors.uncorrected.volatile.total,\
                  memory.total,compute_cap";
    let asked = format!("--query-gpu={fields}");
    let told = node.smi_prints(&[&asked, "--format=csv,noheader,nounits"]);
    let wanted = [
        "0, 1321020000000, 00000000:1B:00.0, 31, 0, 0, 143771, 9.0",
        "1, 1321020000001, 00000000:2C:00.0, 77, 93, 4, 143771, 9.0",
    ];
    assert_eq!(told.lines().collect::<Vec<_>>(), wanted);
}
