//! NVIDIA's own programs in a container, with its own C library.

use berth_rig::runtime::{Container, run};

use super::*;

const STATE: &str = "/run/berth-node/nvml";

#[test]
fn nvidia_smi_in_a_container_lists_its_devices_alone() {
    let (station, _) = station();
    for runtime in runtimes(&station) {
        let listing = |devices: &[&str]| {
            let container = Container { devices, command: &["/usr/bin/nvidia-smi", "-L"], folders: &[STATE] };
            run(&station, &*runtime, &container).unwrap_or_else(|error| panic!("{}", chain(&error)))
        };
        let whole = listing(&["nvidia.com/gpu=0"]);
        assert!(
            whole.starts_with("GPU 0: NVIDIA H100") && whole.lines().count() == 1,
            "{}: {whole}",
            runtime.name()
        );
        let part = listing(&["nvidia.com/gpu=1:0"]);
        assert_eq!(part.lines().count(), 2, "{}: {part}", runtime.name());
        assert!(part.contains("MIG 3g.40gb") && !part.contains("1g.10gb"), "{}: {part}", runtime.name());
        let all = listing(&["nvidia.com/gpu=all"]);
        assert_eq!(all.lines().count(), 4, "{}: {all}", runtime.name());
    }
}

#[test]
fn the_loader_finds_the_drivers_libraries_by_the_hooks_cache() {
    let (station, _) = station();
    // The loader tells what it would load, and from where, instead of running the program.
    let command = ["/bin/env", "LD_TRACE_LOADED_OBJECTS=1", "LD_PRELOAD=libcuda.so.1", "/usr/bin/nvidia-smi"];
    for runtime in runtimes(&station) {
        let container = Container { devices: &["nvidia.com/gpu=0"], command: &command, folders: &[] };
        let told = run(&station, &*runtime, &container).unwrap_or_else(|error| panic!("{}", chain(&error)));
        let line = told.lines().find(|line| line.contains("libcuda.so.1")).unwrap_or_default();
        assert!(
            line.contains("libcuda.so.1 => /usr/lib/x86_64-linux-gnu/nvidia/current/"),
            "{}: {told}",
            runtime.name()
        );
    }
}
