//! What a container sees.

use berth_rig::{
    compare,
    runtime::{Container, probe, run},
};

use super::*;

#[test]
fn a_container_sees_the_devices_that_it_asks_for_and_nothing_else() {
    let (station, spec) = station();
    let host = station.gpu_nodes();
    assert!(
        host.contains_key("/dev/nvidia1") && host.keys().any(|path| path.contains("nvidia-cap")),
        "{host:?}"
    );
    for runtime in runtimes(&station) {
        for names in [&["0"][..], &["all"], &["1:0"], &["0", "1:1"]] {
            let devices: Vec<String> = names.iter().map(|name| format!("nvidia.com/gpu={name}")).collect();
            let devices: Vec<&str> = devices.iter().map(String::as_str).collect();
            let report =
                probe(&station, &*runtime, &devices).unwrap_or_else(|error| panic!("{}", chain(&error)));
            let wanted = compare::wanted(&spec, names, &host);
            assert!(wanted.nodes.len() > 3 && wanted.mounts.len() > 10, "{wanted:?}");
            let differences = compare::differences(&wanted, &host, &report);
            assert!(differences.is_empty(), "{} {names:?}: {differences:#?}", runtime.name());
        }
    }
}

#[test]
fn a_container_that_asks_for_nothing_sees_no_gpu() {
    let (station, _) = station();
    let host = station.gpu_nodes();
    for runtime in runtimes(&station) {
        let report = probe(&station, &*runtime, &[]).unwrap_or_else(|error| panic!("{}", chain(&error)));
        let differences = compare::differences(&compare::Wanted::default(), &host, &report);
        assert!(differences.is_empty(), "{}: {differences:#?}", runtime.name());
    }
}

#[test]
fn a_container_that_fails_is_told_of_with_its_status_and_words() {
    let (station, _) = station();
    let command = ["/bin/sh", "-c", "echo it went wrong >&2; exit 3"];
    for runtime in runtimes(&station) {
        let failed = run(&station, &*runtime, &Container { command: &command, ..Default::default() });
        let said = chain(&failed.expect_err("a failure"));
        assert!(
            said.contains("exit status: 3") && said.contains("it went wrong"),
            "{}: {said}",
            runtime.name()
        );
    }
}
