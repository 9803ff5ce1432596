//! What breaks on a node, and what stays: nothing incomplete is written in silence, and one bad GPU costs one GPU.

use std::os::unix::{ffi::OsStrExt as _, fs::symlink};

use berth_fake_nvml::{
    state::{GpuFault, State},
    symbols::hide_symbols,
};
use berth_node::change;
use nix::sys::stat::{Mode, SFlag, makedev, mknod};

use super::*;

const BY_INDEX: [&str; 2] = ["--device-name-strategy", "index"];
const LIBRARIES: &str = "/usr/lib/x86_64-linux-gnu/nvidia/current";

/// Devices by index of a run that left `lines` on standard error.
fn devices(simulated: &Simulated, lines: &[&str]) -> Vec<String> {
    let ran = simulated.generate(&BY_INDEX);
    assert_eq!((ran.code, ran.err.lines().collect::<Vec<_>>()), (0, lines.to_vec()));
    names(&ran.spec()).into_iter().map(ToOwned::to_owned).collect()
}

#[test]
fn a_lost_gpu_costs_one_gpu() {
    for fault in [GpuFault::Lost, GpuFault::FallenOff] {
        let simulated = Simulated::new(Layout::Debian, "8xh200", |_| {});
        simulated.node.edit(|state| state.gpus[5].fault = fault).expect("a fault");
        let line = "warning: gpu 5 the GPU is lost, it has fallen off the bus; look at dmesg for its XID and reset \
                    or replace it";
        assert_eq!(devices(&simulated, &[line]), ["0", "1", "2", "3", "4", "6", "7", "all"]);
    }
}

#[test]
fn a_lost_gpu_that_was_asked_for_is_an_error_that_tells_what_to_do() {
    let simulated = Simulated::new(Layout::Debian, "2xh200", |_| {});
    simulated.node.edit(|state| state.gpus[1].fault = GpuFault::Lost).expect("a fault");
    let ran = simulated.generate(&["--device-id", "1"]);
    assert_eq!((ran.code, ran.out.as_str()), (1, ""));
    assert!(ran.err.starts_with("error: device \"1\" cannot be used: the GPU is lost"), "{}", ran.err);
}

#[test]
fn a_gpu_without_its_node_costs_one_gpu_with_or_without_graphics_nodes() {
    let line = "warning: gpu 3 /dev/nvidia3 is missing; make it with nvidia-modprobe -c 3";
    let simulated = Simulated::new(Layout::Debian, "4xh200", |_| {});
    simulated.remove("/dev/nvidia3");
    assert_eq!(devices(&simulated, &[line]), ["0", "1", "2", "all"]);
    simulated.remove("/dev/dri/card4");
    simulated.remove("/dev/dri/renderD131");
    assert_eq!(devices(&simulated, &[line]), ["0", "1", "2", "all"]);
}

#[test]
fn what_cuda_cannot_start_without_is_named_when_it_is_missing() {
    let simulated = Simulated::new(Layout::Debian, "h200", |_| {});
    simulated.remove("/dev/nvidia-uvm");
    let line = "warning: /dev/nvidia-uvm is missing, and cuda will not start without it; run nvidia-modprobe -c 0 -u";
    assert_eq!(devices(&simulated, &[line]), ["0", "all"]);
}

#[test]
fn nodes_that_a_driver_of_before_left_behind_are_named_and_given_to_nobody() {
    let simulated = Simulated::new(Layout::Debian, "2xh200", |_| {});
    for (path, major, minor) in [("/dev/nvidia1", 1, 5), ("/dev/nvidia-uvm", 400, 0)] {
        simulated.remove(path);
        let number = makedev(major, minor);
        mknod(&simulated.path(path), SFlag::S_IFCHR, Mode::S_IRUSR, number).expect("root makes nodes");
    }
    let again = "remove it and make it again with nvidia-modprobe";
    let lines = [
        format!("warning: /dev/nvidia-uvm is device 400:0, but its driver's is 511:0; {again}"),
        format!("warning: gpu 1 /dev/nvidia1 is device 1:5, but its driver's is 195:1; {again}"),
    ];
    assert_eq!(devices(&simulated, &lines.each_ref().map(String::as_str)), ["0", "all"]);
    let management = simulated.generate(&["--mode", "management"]);
    assert_eq!((management.code, management.err.lines().count()), (0, 2), "{}", management.err);
    let spec = management.spec();
    let left = nodes(device(&spec, "all"));
    assert!(!left.contains(&"/dev/nvidia1") && !left.contains(&"/dev/nvidia-uvm"), "{left:?}");
}

/// What is wrong with all of a node, and what is said of it.
type Fault = (fn(&mut State), &'static str);

fn whole_node() -> [Fault; 4] {
    [
        (
            |state| state.gpus.clear(),
            "error: no device to describe: the driver counts no gpu; nothing is written",
        ),
        (|state| state.faults.driver_not_loaded = true, "load it with modprobe nvidia"),
        (
            |state| state.faults.version_mismatch = true,
            "are of different versions; reload the module or reboot",
        ),
        (
            |state| state.driver.version = "560.35.03".into(),
            "the driver that runs is 560.35.03, but the libraries below / are 550.163.01",
        ),
    ]
}

#[test]
fn without_any_gpu_nothing_is_written_and_the_old_file_stays() {
    for (fault, said) in whole_node() {
        let simulated = Simulated::new(Layout::Debian, "2xh200", |_| {});
        let file = simulated.beside("nvidia.yaml");
        let output = file.to_str().expect("text");
        assert_eq!(simulated.generate(&["--output", output]).code, 0);
        let before = fs::read(&file).expect("a file");
        simulated.node.edit(fault).expect("a fault");
        let ran = simulated.generate(&["--output", output]);
        assert_eq!((ran.code, ran.out.as_str(), ran.err.lines().count()), (1, "", 1), "{}", ran.err);
        assert!(ran.err.contains(said), "{}", ran.err);
        assert_eq!(fs::read(&file).expect("a file"), before);
    }
}

#[test]
fn strict_lets_nothing_incomplete_take_the_place_of_what_is_there() {
    let simulated = Simulated::new(Layout::Debian, "2xh200", |_| {});
    let file = simulated.beside("nvidia.yaml");
    fs::write(&file, "old").expect("a file");
    simulated.node.edit(|state| state.gpus[1].fault = GpuFault::Lost).expect("a fault");
    let strict = ["--strict", "--output", file.to_str().expect("text")];
    assert_eq!(simulated.generate(&strict).code, 3);
    assert_eq!(fs::read(&file).expect("a file"), b"old");
    assert_eq!(simulated.generate(&strict[1..]).code, 0);
    assert_ne!(fs::read(&file).expect("a file"), b"old");
}

#[test]
fn files_of_another_version_are_left_behind() {
    let simulated = Simulated::new(Layout::Debian, "h200", |_| {});
    let left_over = simulated.path(LIBRARIES).join("libcuda.so.535.247.01");
    fs::copy(simulated.path(LIBRARIES).join("libcuda.so.550.163.01"), left_over).expect("a library");
    let text = simulated.spec(&[]).render(Format::Json);
    assert!(text.contains("libcuda.so.550.163.01") && !text.contains("535.247.01"), "{text}");
}

#[test]
fn an_older_library_without_newer_functions_is_enough() {
    let absent = ["nvmlDeviceGetAddressingMode", "nvmlSystemGetCudaDriverVersion_v2", "nvmlShutdown"];
    let library = fs::read(beside_program().expect("the simulated NVML")).expect("a library");
    let folder = tempfile::tempdir().expect("a folder");
    let older = folder.path().join("nvml.so");
    fs::write(&older, hide_symbols(&library, &absent).expect("symbols to hide")).expect("a library");
    let simulated = Simulated::new(Layout::Debian, "h200", |recipe| recipe.nvml = Some(older));
    assert_eq!(devices(&simulated, &[]), ["0", "all"]);
}

#[test]
fn a_driver_that_is_unloaded_is_told_as_such() {
    let mut simulated = Simulated::new(Layout::Debian, "h200", |_| {});
    change::unload(&mut simulated.node).expect("an unload");
    let ran = simulated.generate(&[]);
    assert_eq!((ran.code, ran.out.as_str(), ran.err.lines().count()), (1, "", 1), "{}", ran.err);
    assert!(ran.err.contains("modprobe nvidia"), "{}", ran.err);
}

#[test]
fn a_board_whose_nvml_does_not_answer_is_described_by_its_lists() {
    let simulated = Simulated::new(Layout::TegraThor, "2xl4", |_| {});
    assert_eq!(devices(&simulated, &[]), ["0", "1", "all"]);
    simulated.node.edit(|state| state.faults.driver_not_loaded = true).expect("a fault");
    let ran = simulated.generate(&BY_INDEX);
    assert_eq!((ran.code, names(&ran.spec())), (0, vec!["0", "all"]));
    assert!(ran.err.starts_with("warning: nvml is not asked"), "{}", ran.err);
    assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
}

#[test]
fn odd_names_and_links_beside_the_driver_do_no_harm() {
    let simulated = Simulated::new(Layout::Debian, "h200", |_| {});
    let before = simulated.spec(&[]);
    let folder = simulated.path(LIBRARIES);
    symlink("libloop.so.550.163.01", folder.join("libloop.so.550.163.01")).expect("a loop");
    symlink("/etc/shadow", folder.join("libout.so.550.163.01")).expect("a link");
    symlink("../../../../../../../../../../etc/shadow", folder.join("libup.so.550.163.01")).expect("a link");
    fs::write(folder.join(OsStr::from_bytes(b"libodd\xff.so.550.163.01")), "").expect("a file");
    for number in 0..10_000 {
        fs::write(folder.join(format!("other-{number}")), "").expect("a file");
    }
    let ran = simulated.generate(&[]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(ran.spec(), before);
    assert!(ran.err.lines().all(|line| line.starts_with("warning: ")), "{}", ran.err);
    let named = |part: &str| ran.err.lines().any(|line| line.contains(part));
    assert!(named("libloop") && named("libodd"), "{}", ran.err);
}

#[test]
fn a_root_that_is_none_is_told_with_the_flag_to_check() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    fs::write(at("file"), "").expect("a file");
    symlink("loop", at("loop")).expect("a loop");
    for (root, said) in [("absent", "--host-root"), ("file", "--host-root"), ("loop", "--host-root")] {
        let ran = ran(command("generate").arg("--host-root").arg(at(root)));
        assert_eq!((ran.code, ran.out.as_str()), (1, ""), "{root}");
        assert!(ran.err.contains(said) && ran.err.lines().count() == 1, "{root}: {}", ran.err);
    }
    let ran = ran(command("generate").arg("--host-root").arg(folder.path()));
    assert_eq!((ran.code, ran.out.as_str(), ran.err.lines().count()), (1, "", 1), "{}", ran.err);
}
