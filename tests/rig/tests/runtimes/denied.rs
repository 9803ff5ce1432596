//! What keeps a container from starting, and what must not.

use std::fs;

use berth_rig::{compare, runtime::probe};

use super::*;

/// What the runtime says when it starts a container with `device`; `None` if it starts.
fn refusal(station: &Station, runtime: &dyn Runtime, device: &str) -> Option<String> {
    probe(station, runtime, &[&format!("nvidia.com/gpu={device}")]).err().map(|error| chain(&error))
}

#[test]
fn a_device_that_is_not_in_the_spec_keeps_the_container_from_starting() {
    let (station, _) = station();
    for runtime in runtimes(&station) {
        let said = refusal(&station, &*runtime, "99").expect("a refusal");
        assert!(said.contains("unresolvable CDI devices nvidia.com/gpu=99"), "{}: {said}", runtime.name());
    }
}

#[test]
fn a_broken_file_beside_the_spec_spoils_nothing() {
    let (station, _) = station();
    let cdi = station.node().root().join("run/cdi");
    fs::write(cdi.join("broken.yaml"), "cdiVersion: [").expect("a file");
    fs::write(cdi.join("half.json"), r#"{"cdiVersion": "0.6.0", "kind": "x.com/y""#).expect("a file");
    for runtime in runtimes(&station) {
        assert_eq!(refusal(&station, &*runtime, "0"), None, "{}", runtime.name());
    }
}

#[test]
fn a_node_that_is_gone_keeps_its_gpu_from_starting_and_no_other() {
    let (station, _) = station();
    fs::remove_file(station.node().root().join("dev/nvidia0")).expect("a node");
    for runtime in runtimes(&station) {
        let said = refusal(&station, &*runtime, "0").expect("a refusal");
        assert!(said.contains("/dev/nvidia0"), "{}: {said}", runtime.name());
        assert_eq!(refusal(&station, &*runtime, "1:0"), None, "{}", runtime.name());
    }
    let spec = station.generate().expect("a spec without it");
    assert!(spec.devices.iter().all(|device| device.name.as_str() != "0"));
}

#[test]
fn a_kubernetes_runtime_whose_cdi_is_switched_off_starts_the_container_without_a_gpu() {
    let (station, _) = station();
    let host = station.gpu_nodes();
    let cri = Cri::new(&station, Cdi::Off).expect("containerd's CRI");
    let report =
        probe(&station, &cri, &["nvidia.com/gpu=0"]).unwrap_or_else(|error| panic!("{}", chain(&error)));
    let differences = compare::differences(&compare::Wanted::default(), &host, &report);
    assert!(differences.is_empty(), "{differences:#?}");
}
