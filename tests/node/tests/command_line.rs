//! The program, as people use it.
#![expect(clippy::tests_outside_test_module, reason = "an integration test is a test module")]
#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "runs the program")]

use std::{
    fs,
    path::Path,
    process::{Command, Output},
};

const PROGRAM: &str = env!("CARGO_BIN_EXE_berth-node");

fn berth_node(arguments: &[&str]) -> Output {
    Command::new(PROGRAM).args(arguments).output().expect("the program")
}

fn said(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn create(root: &Path, more: &[&str]) {
    let root = root.to_str().expect("a path");
    let made = berth_node(&[&["create", root, "--stand-in", "--no-nvml"], more].concat());
    assert!(made.status.success(), "{}", said(&made.stderr));
}

#[test]
fn a_node_is_made_shown_changed_and_removed() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("node");
    let root = path.to_str().expect("a path");
    create(&path, &["--gpus", "2xh200", "--mig", "1=1g.18gb@4", "--with", "mps,gds"]);
    let shown = said(&berth_node(&["show", root]).stdout);
    assert!(shown.contains("with      gds\nwith      mps\n"), "{shown}");
    assert!(shown.contains("  cap 201  gpu1/gi7/access\n  cap 202  gpu1/gi7/ci0/access\n"), "{shown}");

    for arguments in [
        &["mig", root, "create", "1", "1g.18gb"][..],
        &["unload", root],
        &["load", root, "--uvm-major", "507"],
        &["fault", root, "lost", "--gpu", "0"],
        &["fault", root, "clear"],
        &["hotplug", root, "add", "t4"],
        &["hotplug", root, "remove", "0"],
        &["socket", root, "add", "fabricmanager"],
        &["upgrade", root, "stand-in:570.86.15", "--stop-after", "unpacked"],
        &["sync", root],
        &["reset", root, "1"],
    ] {
        let done = berth_node(arguments);
        // The load took MIG's instances with it, and a GPU that has MIG off refuses none of the rest.
        assert!(done.status.success(), "{arguments:?}: {}", said(&done.stderr));
    }
    let shown = said(&berth_node(&["show", root]).stdout);
    assert!(shown.contains("unpacked  570.86.15\n") && shown.contains("Tesla T4"), "{shown}");
    assert!(berth_node(&["destroy", root]).status.success());
    assert!(!path.exists());
}

#[test]
fn a_program_runs_on_the_node_and_its_answer_is_passed_on() {
    let folder = tempfile::tempdir().expect("a folder");
    create(folder.path(), &["--layout", "rpm", "--install", PROGRAM]);
    let root = folder.path().to_str().expect("a path");
    let told = berth_node(&[
        "enter",
        root,
        "--",
        "sh",
        "-c",
        "ls /dev/nvidia0 /usr/bin/berth-node /usr/lib64/libcuda.so.1; exit 7",
    ]);
    assert_eq!(said(&told.stdout), "/dev/nvidia0\n/usr/bin/berth-node\n/usr/lib64/libcuda.so.1\n");
    assert_eq!(told.status.code(), Some(7));
    assert!(!Path::new("/dev/nvidia0").exists());
}

#[test]
fn without_the_privilege_to_make_nodes_the_reason_is_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().to_str().expect("a path");
    let refused = Command::new("setpriv")
        .args(["--bounding-set=-mknod", PROGRAM, "create", root, "--stand-in", "--no-nvml"])
        .output()
        .expect("setpriv of util-linux");
    assert_eq!(refused.status.code(), Some(1));
    assert_eq!(
        said(&refused.stderr),
        format!(
            "berth-node: cannot make the device node {root}/dev/console; run as root with CAP_MKNOD, on a file \
             system that allows it\n"
        )
    );
}

#[test]
fn where_packages_are_not_to_be_had_stand_ins_take_their_place_and_that_is_said() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().join("node");
    let cache = folder.path().join("no-folder");
    fs::write(&cache, "").expect("a file in the way of the cache");
    let made = Command::new(PROGRAM)
        .arg("create")
        .arg(&root)
        .args(["--driver", "535", "--no-nvml"])
        .env("BERTH_CACHE", &cache)
        .output()
        .expect("the program");
    let told = said(&made.stderr);
    assert!(made.status.success(), "{told}");
    assert!(told.contains("using stand-ins of driver 535.261.03 instead"), "{told}");
    assert!(root.join("usr/lib/x86_64-linux-gnu/nvidia/current/libcuda.so.535.261.03").exists());
}

#[test]
fn what_is_not_known_is_answered_with_what_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().to_str().expect("a path");
    for (arguments, expected) in [
        (&["create", root, "--layout", "slackware"][..], "layout \"slackware\" is not one of debian, rpm"),
        (&["create", root, "--driver", "470"], "driver \"470\" is not one of 535, 550, stand-in"),
        (&["create", root, "--with", "tpu"], "\"tpu\" is not one of compat32"),
        (&["show", root], "is not a simulated node; make one with `berth-node create`"),
        (&["create", root, "--stand-in", "--nvml", "/none.so"], "libnvidia-ml.so.550.163.01"),
    ] {
        let refused = berth_node(arguments);
        assert!(!refused.status.success());
        assert!(said(&refused.stderr).contains(expected), "{}", said(&refused.stderr));
    }
    drop(fs::read_dir(root).expect("the folder is still there"));
}
