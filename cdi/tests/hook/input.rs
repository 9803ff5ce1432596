//! What the runtime gives to the hook, and what it must not depend on.

#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "changes real trees, runs the hook")]

use std::{
    fs,
    process::{Command, Stdio},
    thread,
};

use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};

use crate::bundle::{Bundle, Tree, run};

#[test]
fn a_state_that_names_no_container_stops_it_with_a_sentence() {
    let bundle = Bundle::debian();
    let missing = format!(r#"{{"root":"{}/gone"}}"#, bundle.root().display());
    let file = format!(r#"{{"root":"{}/etc/debian_version"}}"#, bundle.root().display());
    for (state, wanted) in [
        ("", "the container's state is no OCI state"),
        ("{", "the container's state is no OCI state"),
        ("{}", "the container's state names neither bundle nor root"),
        (r#"{"bundle":"/nowhere"}"#, "cannot read /nowhere/config.json"),
        (r#"{"root":"/"}"#, "the container's root / is the host's; a hook must not change the host"),
        (r#"{"root":"/proc/../"}"#, "the container's root /proc/../ is the host's"),
        (r#"{"root":"/proc/self/root"}"#, "the container's root /proc/self/root is the host's"),
        (missing.as_str(), "cannot open the container's root"),
        (file.as_str(), "cannot open the container's root"),
    ] {
        let outcome = run(&["create-container", "--link", "a::/b"], state, &[]);
        assert_eq!(outcome.status, Some(1), "{state}: {outcome:?}");
        assert!(
            outcome.stderr.starts_with(&format!("berth-cdi-hook: error: {wanted}")),
            "{state}: {outcome:?}"
        );
        assert_eq!(outcome.stderr.lines().count(), 1, "{state}: {outcome:?}");
    }
}

/// The signal of its own timer, sent as soon as the hook listens to it while it waits for a state that never comes.
#[test]
fn a_hook_that_waits_too_long_ends_with_a_sentence() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_berth-cdi-hook"));
    command.args(["create-container", "--link", "a::/b"]).stdin(Stdio::piped()).stderr(Stdio::piped());
    let mut hook = command.spawn().expect("a process");
    let state = hook.stdin.take().expect("a pipe");
    let id = Pid::from_raw(hook.id().try_into().expect("a process id"));
    let listens = || {
        let status = fs::read_to_string(format!("/proc/{id}/status")).expect("a status");
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:\t")).expect("a mask");
        u64::from_str_radix(caught, 16).expect("a mask") & 1 << (Signal::SIGALRM as u32 - 1) != 0
    };
    while !listens() {
        thread::yield_now();
    }
    kill(id, Signal::SIGALRM).expect("a signal");
    let output = hook.wait_with_output().expect("its end");
    drop(state);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(told.starts_with("berth-cdi-hook: took too long; "), "{told}");
}

#[test]
fn the_root_that_crun_names_is_used() {
    let bundle = Bundle::debian();
    let state = format!(r#"{{"id":"x","bundle":"/gone","root":{:?}}}"#, bundle.root());
    let outcome = run(&["create-symlinks", "--link", "a::/b"], &state, &[]);
    assert_eq!(outcome.status, Some(0), "{outcome:?}");
    assert!(bundle.says("/b").is_some(), "no link");
}

#[test]
fn a_hook_of_another_version_is_told_and_stops_nothing() {
    let bundle = Bundle::debian();
    let before = bundle.inside();
    for words in [
        &["apply-cuda-memory-limits", "--gpu-id", "0"][..],
        &["noop"],
        &["chmod", "--mode", "755", "--path", "/dev"],
    ] {
        let outcome = bundle.run(words);
        assert_eq!(outcome.status, Some(0), "{words:?}: {outcome:?}");
    }
    let unknown = bundle.run(&["create-symlinks", "--fold", "x"]);
    assert_eq!(unknown.status, Some(2), "{unknown:?}");
    assert_eq!(bundle.inside(), before);
}

#[test]
fn the_environment_of_an_image_changes_nothing() {
    let (plain, hostile) = (Bundle::debian(), Bundle::debian());
    plain.done(&["create-container", "--folder", "/usr/lib", "--link", "a::/b"]);
    let evil = hostile.at("/evil.so");
    hostile.write("/evil.so", b"no library");
    let environment = [
        ("LD_PRELOAD", evil.to_str().expect("ASCII")),
        ("LD_LIBRARY_PATH", "/nowhere"),
        ("PATH", "/nowhere"),
        ("TMPDIR", "/nowhere"),
        ("HOME", "/nowhere"),
        ("RUST_BACKTRACE", "full"),
        ("LC_ALL", "zz_ZZ"),
    ];
    let words = ["create-container", "--folder", "/usr/lib", "--link", "a::/b"];
    let outcome = run(&words, &hostile.state(), &environment);
    assert_eq!(outcome.status, Some(0), "{outcome:?}");
    fs::remove_file(&evil).expect("a file");
    assert_eq!(relative(&hostile), relative(&plain));
}

fn relative(bundle: &Bundle) -> Tree {
    let root = bundle.root();
    let inside = bundle.inside().into_iter();
    inside.map(|(path, facts)| (path.strip_prefix(&root).expect("in the root").into(), facts)).collect()
}
