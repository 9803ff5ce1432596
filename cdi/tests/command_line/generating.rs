//! `generate` on hosts that need no library of a driver: families of device nodes, and management.

#![expect(clippy::disallowed_methods, reason = "looks at the files that were written")]

use std::{fs, os::unix::fs::PermissionsExt, path::Path};

use berth_cdi::spec::{Format, Spec};

use crate::run::{Ran, berth_cdi, host};

fn generate(host: &Path, arguments: &[&str], environment: &[(&str, &str)]) -> Ran {
    let root = host.to_str().expect("utf-8");
    let all: Vec<_> = ["generate", "--host-root", root].iter().chain(arguments).copied().collect();
    berth_cdi(&all, environment)
}

fn spec(text: &str, format: Format) -> Spec {
    Spec::parse(text.as_bytes(), format).expect("a spec")
}

fn names(spec: &Spec) -> Vec<&str> {
    spec.devices.iter().map(|device| device.name.as_str()).collect()
}

#[test]
fn a_spec_is_printed_or_written_whole_at_its_final_mode() {
    let host = host();
    let printed = generate(host.path(), &["--mode", "imex"], &[]);
    assert_eq!((printed.code, printed.err.as_str()), (Some(0), ""));
    let output = host.path().join("cdi/new/imex.yaml");
    let written =
        generate(host.path(), &["--mode", "imex", "--output", output.to_str().expect("utf-8")], &[]);
    assert_eq!((written.code, written.out.as_str()), (Some(0), ""), "{}", written.err);
    assert_eq!(fs::read_to_string(&output).expect("a file"), printed.out);
    assert_eq!(fs::metadata(&output).expect("a file").permissions().mode() & 0o7777, 0o644);
}

#[test]
fn the_format_goes_by_flag_then_by_suffix_and_names_the_file_as_given() {
    let host = host();
    for (file, flag, format) in [
        ("a.json", None, Format::Json),
        ("a.yml", None, Format::Yaml),
        ("a.yaml", Some("json"), Format::Json),
        ("plain", None, Format::Yaml),
    ] {
        let output = host.path().join(file);
        let mut arguments = vec!["--mode", "imex", "--output", output.to_str().expect("utf-8")];
        arguments.extend(flag.map(|flag| ["--format", flag]).into_iter().flatten());
        assert_eq!(generate(host.path(), &arguments, &[]).code, Some(0));
        let text = fs::read_to_string(&output).expect("the file of that name");
        assert_eq!(names(&spec(&text, format)), ["0", "1", "all"]);
    }
}

#[test]
fn variables_stand_for_flags_and_flags_go_before() {
    let host = host();
    let root = host.path().to_str().expect("utf-8");
    let environment = [
        ("BERTH_CDI_HOST_ROOT", root),
        ("BERTH_CDI_MODE", "imex"),
        ("BERTH_CDI_DEVICE_IDS", "1"),
        ("BERTH_CDI_NO_ALL_DEVICE", "1"),
    ];
    let ran = berth_cdi(&["generate"], &environment);
    assert_eq!(names(&spec(&ran.out, Format::Yaml)), ["1"], "{}", ran.err);
    let ran = berth_cdi(&["cdi", "generate", "--device-id", "0", "--vendor", "example.com"], &environment);
    let spec = spec(&ran.out, Format::Yaml);
    assert_eq!((names(&spec), spec.kind.to_string()), (vec!["0"], "example.com/imex-channel".to_owned()));
}

#[test]
fn management_needs_no_nvml() {
    let hook = ["--nvidia-cdi-hook-path", "/usr/bin/nvidia-cdi-hook"];
    let ran = generate(host().path(), &[&["--mode", "management"], &hook[..]].concat(), &[]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let said: Vec<_> = ran.err.lines().collect();
    assert!(said.iter().any(|line| line.contains("names /usr/bin/berth-cdi-hook instead")), "{said:?}");
    assert!(said.iter().any(|line| line.contains("containers will not start")), "{said:?}");
    let spec = spec(&ran.out, Format::Yaml);
    assert_eq!((names(&spec), spec.kind.to_string()), (vec!["all"], "management.nvidia.com/gpu".to_owned()));
}

#[test]
fn strictly_nothing_incomplete_is_written() {
    let host = host();
    let output = host.path().join("nvidia.yaml");
    let path = output.to_str().expect("utf-8");
    let ran = generate(host.path(), &["--mode", "management", "--strict", "--output", path], &[]);
    assert_eq!((ran.code, output.exists()), (Some(3), false), "{}", ran.err);
    let whole = ["--mode", "management", "--strict", "--disable-hook", "all", "--output", path];
    assert_eq!((generate(host.path(), &whole, &[]).code, output.exists()), (Some(0), true));
}

#[test]
fn a_failure_says_why_and_leaves_the_old_file() {
    let host = host();
    let output = host.path().join("nvidia.yaml");
    fs::write(&output, "old").expect("a file");
    let path = output.to_str().expect("utf-8");
    for (arguments, said) in [
        (vec!["--mode", "gds"], "mode gds found none of its device nodes"),
        (vec!["--mode", "imex", "--device-id", "7"], "device \"7\" is not on this host; it has 0, 1"),
        (vec!["--mode", "nvml"], "no libcuda.so or libnvidia-ml.so of a driver below /"),
        (vec!["--mode", "imex", "--driver-root", "/missing"], "cannot use /missing as driver-root"),
        (vec!["--mode", "imex", "--class", "a b"], "check --vendor and --class"),
    ] {
        let ran = generate(host.path(), &[&arguments[..], &["--output", path]].concat(), &[]);
        assert_eq!(ran.code, Some(1), "{arguments:?}");
        assert!(ran.err.starts_with("error: ") && ran.err.contains(said), "{arguments:?}: {}", ran.err);
        assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
        assert_eq!(fs::read_to_string(&output).expect("the old file"), "old");
    }
}

#[test]
fn what_must_not_be_overwritten_is_not() {
    let host = host();
    let folder = host.path().join("folder.yaml");
    fs::create_dir(&folder).expect("a folder");
    for output in ["/dev/null", folder.to_str().expect("utf-8")] {
        let ran = generate(host.path(), &["--mode", "imex", "--output", output], &[]);
        assert_eq!(ran.code, Some(1));
        assert!(ran.err.contains("is no regular file and is not replaced"), "{}", ran.err);
    }
}

#[test]
fn a_flag_that_changes_nothing_is_taken_and_said() {
    for arguments in [
        ["--ldconfig-path", "/sbin/ldconfig"],
        ["--enable-hook", "chmod"],
        ["--disable-hook", "apply-cuda-memory-limits"],
        ["--feature-flag", "disable-nvsandboxutils"],
    ] {
        let ran = generate(host().path(), &[&["--mode", "imex"], &arguments[..]].concat(), &[]);
        assert_eq!(ran.code, Some(0));
        assert!(ran.err.starts_with("warning: ") && ran.err.contains("changes nothing"), "{}", ran.err);
    }
}
