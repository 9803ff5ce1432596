//! Where a spec goes, in which form, and what in it is a matter of choice.

use std::{
    fs::File,
    os::unix::fs::{MetadataExt as _, symlink},
};

use super::*;

fn node() -> Simulated {
    Simulated::new(Layout::Debian, "2xl40s", |_| {})
}

#[test]
fn the_form_follows_the_flag_then_the_suffix_then_is_yaml() {
    let simulated = node();
    for (name, flag, json) in [
        ("a.json", None, true),
        ("a.yaml", None, false),
        ("a.yml", None, false),
        ("a", None, false),
        ("b.yaml", Some("json"), true),
        ("b.json", Some("yaml"), false),
    ] {
        let file = simulated.beside(name);
        let mut arguments = vec!["--output", file.to_str().expect("text")];
        arguments.extend(flag.into_iter().flat_map(|format| ["--format", format]));
        assert_eq!(simulated.generate(&arguments).code, 0, "{name}");
        let bytes = fs::read(&file).expect("exactly the file that was named");
        assert_eq!(bytes.starts_with(b"{"), json, "{name} {flag:?}");
        assert_eq!(fs::metadata(&file).expect("a file").mode() & 0o777, 0o644);
    }
    let stdout = simulated.generate(&["--format", "json"]).out;
    assert_eq!(stdout.as_bytes(), fs::read(simulated.beside("a.json")).expect("a file"));
}

#[test]
fn a_link_at_the_output_is_replaced_and_not_followed() {
    let simulated = node();
    let (target, link) = (simulated.beside("target"), simulated.beside("nvidia.yaml"));
    fs::write(&target, "mine").expect("a file");
    symlink(&target, &link).expect("a link");
    assert_eq!(simulated.generate(&["--output", link.to_str().expect("text")]).code, 0);
    assert_eq!(fs::read(&target).expect("a file"), b"mine");
    assert!(fs::symlink_metadata(&link).expect("a file").is_file());
}

#[test]
fn an_output_that_cannot_be_written_is_an_error_that_names_it() {
    let simulated = node();
    fs::write(simulated.beside("file"), "").expect("a file");
    for output in ["/proc/nvidia.yaml", simulated.beside("file/nvidia.yaml").to_str().expect("text")] {
        let ran = simulated.generate(&["--output", output]);
        assert_eq!((ran.code, ran.out.as_str(), ran.err.lines().count()), (1, "", 1), "{}", ran.err);
        let folder = Path::new(output).parent().and_then(Path::to_str).expect("a folder");
        assert!(ran.err.contains(folder), "{}", ran.err);
    }
    let full = File::options().write(true).open("/dev/full").expect("a device");
    let mut command = command("generate");
    command.arg("--host-root").arg(simulated.node.root()).stdout(full);
    assert_eq!(ran(&mut command).code, 1);
}

#[test]
fn numbers_and_groups_are_said_on_request_and_the_version_stays_the_lowest() {
    let simulated = node();
    let plain = simulated.spec(&[]);
    assert_eq!(plain.cdi_version.to_string(), "0.5.0");
    let spec = simulated.spec(&["--device-numbers", "--additional-gids"]);
    assert_eq!(spec.cdi_version.to_string(), "0.7.0");
    let gpu = &device(&spec, "1").container_edits;
    let node = gpu.device_nodes.iter().find(|node| node.path == "/dev/nvidia1").expect("a node");
    assert_eq!((node.major, node.minor), (Some(195), Some(1)));
    assert!(!gpu.additional_gids.is_empty());
    let letters = simulated.spec(&["--device-name-strategy", "type-index"]);
    assert_eq!(
        (letters.cdi_version.to_string().as_str(), names(&letters)),
        ("0.3.0", vec!["all", "gpu0", "gpu1"])
    );
}

#[test]
fn the_kind_is_a_matter_of_choice_and_else_no_two_modes_share_one() {
    let simulated = Simulated::full(Layout::Debian, "h200");
    let kind = |arguments: &[&str]| simulated.spec(arguments).kind.to_string();
    let modes = ["nvml", "management", "imex", "gds", "mofed", "nvswitch", "gdrcopy"];
    let kinds: std::collections::BTreeSet<_> = modes.iter().map(|mode| kind(&["--mode", mode])).collect();
    assert_eq!(kinds.len(), modes.len(), "{kinds:?}");
    assert_eq!(kind(&["--mode", "imex", "--vendor", "example.org", "--class", "x"]), "example.org/x");
}

#[test]
fn parts_of_the_hook_can_be_left_out() {
    let simulated = node();
    let hooks = |arguments: &[&str]| simulated.spec(arguments).container_edits.hooks;
    simulated.install("/opt/hook");
    assert_eq!(hooks(&["--disable-hook", "all"]), []);
    for (name, flag) in [
        ("create-symlinks", "--link"),
        ("update-ldcache", "--folder"),
        ("enable-cuda-compat", "--host-driver-version"),
        ("disable-device-node-modification", "--disable-device-node-modification"),
        ("update-application-profile", "--update-application-profile"),
    ] {
        let has = |arguments: &[&str]| hooks(arguments)[0].args.iter().any(|arg| arg == flag);
        assert!(has(&[]) && !has(&["--disable-hook", name]), "{name}");
    }
    assert_eq!(hooks(&["--nvidia-ctk-path", "/opt/hook"])[0].path, "/opt/hook");
}

#[test]
fn every_flag_has_its_variable() {
    let simulated = node();
    let mut command = command("generate");
    command
        .env("BERTH_CDI_HOST_ROOT", simulated.node.root())
        .env("BERTH_CDI_DEVICE_NAME_STRATEGIES", "type-index")
        .env("BERTH_CDI_NO_ALL_DEVICE", "true")
        .env("BERTH_CDI_DEVICE_IDS", "1")
        .env("BERTH_CDI_OUTPUT_FORMAT", "yaml")
        .env("BERTH_CDI_CLASS", "card");
    let spec = ran(&mut command).spec();
    assert_eq!((spec.kind.to_string().as_str(), names(&spec)), ("nvidia.com/card", vec!["gpu1"]));
}

#[test]
fn coherent_gpus_are_marked_on_request_and_have_a_file_and_class_of_their_own() {
    let simulated = Simulated::new(Layout::Rpm, "gb200,l40s", |_| {});
    let file = simulated.beside("nvidia.yaml");
    let output = ["--device-name-strategy", "index", "--output", file.to_str().expect("text")];
    assert_eq!(simulated.generate(&output).code, 0);
    assert_eq!(fs::read_dir(simulated.folder.path()).expect("a folder").count(), 2, "the node and one file");
    let flagged = [&output[..], &["--feature-flag", "enable-coherent-annotations"]].concat();
    assert_eq!(simulated.generate(&flagged).code, 0);
    for (name, kind, devices) in [
        ("nvidia.yaml", "nvidia.com/gpu", vec!["0", "1", "all"]),
        ("nvidia.coherent.yaml", "nvidia.com/gpu.coherent", vec!["0", "all"]),
        ("nvidia.noncoherent.yaml", "nvidia.com/gpu.noncoherent", vec!["1", "all"]),
    ] {
        let bytes = fs::read(simulated.beside(name)).expect("a file");
        let spec = Spec::parse(&bytes, Format::Yaml).expect("a spec");
        assert_eq!((spec.kind.to_string().as_str(), names(&spec)), (kind, devices), "{name}");
        let marked = |device: &Device| device.annotations.contains_key("gpu.nvidia.com/coherent");
        assert!(spec.devices.iter().all(|device| marked(device) || device.name.as_str() == "all"), "{name}");
    }
}
