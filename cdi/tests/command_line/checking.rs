//! `check` and `list` on folders of specs.

#![expect(clippy::disallowed_methods, reason = "writes the specs that are looked at")]

use std::fs;

use crate::run::{Ran, berth_cdi, host};

/// A host whose own spec of IMEX channels stands in its folder; then `change` is made.
fn with_spec(change: impl FnOnce(&std::path::Path)) -> tempfile::TempDir {
    let host = host();
    let output = host.path().join("var/run/cdi/imex.yaml");
    let root = host.path().to_str().expect("utf-8");
    let ran = berth_cdi(
        &["generate", "--mode", "imex", "--host-root", root, "--output", output.to_str().expect("utf-8")],
        &[],
    );
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    change(host.path());
    host
}

fn on(host: &tempfile::TempDir, command: &str, arguments: &[&str]) -> Ran {
    let root = host.path().to_str().expect("utf-8");
    berth_cdi(&[&[command, "--host-root", root], arguments].concat(), &[])
}

#[test]
fn devices_are_listed_by_full_name() {
    let host = with_spec(|_| {});
    let names = ["nvidia.com/imex-channel=0", "nvidia.com/imex-channel=1", "nvidia.com/imex-channel=all"];
    let listed = on(&host, "list", &[]);
    assert_eq!((listed.code, listed.out), (Some(0), names.map(|name| format!("{name}\n")).concat()));
    let json = on(&host, "list", &["-o", "json"]).out;
    let json: serde_json::Value = serde_json::from_str(&json).expect("json");
    let first = json.get(0).and_then(|device| device.get("name"));
    assert_eq!(first.and_then(serde_json::Value::as_str), names.first().copied());
}

#[test]
fn a_true_spec_has_no_finding() {
    let checked = on(&with_spec(|_| {}), "check", &[]);
    assert_eq!((checked.code, checked.out.as_str()), (Some(0), ""), "{}", checked.err);
}

#[test]
fn a_removed_node_is_a_finding_and_an_exit_code() {
    let host = with_spec(|root| {
        fs::remove_file(root.join("dev/nvidia-caps-imex-channels/channel1")).expect("a node");
    });
    let checked = on(&host, "check", &[]);
    assert_eq!(checked.code, Some(1));
    let mut lines = checked.out.lines();
    assert!(lines.all(|line| line.starts_with("error: ") && line.contains("channel1")), "{}", checked.out);
    let json: serde_json::Value =
        serde_json::from_str(&on(&host, "check", &["-o", "json"]).out).expect("json");
    assert!(json.get("findings").and_then(serde_json::Value::as_array).is_some_and(|all| !all.is_empty()));
}

#[test]
fn a_broken_file_is_named_and_the_others_are_listed() {
    let host =
        with_spec(|root| fs::write(root.join("var/run/cdi/broken.yaml"), "cdiVersion: [").expect("a file"));
    let listed = on(&host, "list", &[]);
    assert_eq!((listed.code, listed.out.lines().count()), (Some(0), 3));
    assert!(listed.err.contains("broken.yaml"), "{}", listed.err);
    assert_eq!(on(&host, "check", &[]).code, Some(1));
}

#[test]
fn without_files_there_is_a_word_and_no_failure() {
    let host = host();
    let checked = on(&host, "check", &[]);
    assert_eq!((checked.code, checked.out.as_str()), (Some(0), ""));
    assert!(checked.err.contains("no cdi file found"), "{}", checked.err);
}
