//! The driver's settings: device nodes and application profile, in a private mount namespace where mounts are needed.

#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "makes nodes and runs the hook")]

use std::{fs, os::unix::fs::MetadataExt as _, process::Command};

use nix::sys::stat::{Mode, SFlag, makedev, mknod};

use crate::bundle::{Bundle, Outcome, finish};

const PROFILE: &str = "/etc/nvidia/nvidia-application-profiles-rc.d/10-container.conf";
const PARAMS: &str = "/proc/driver/nvidia/params";

/// Runs a script in a mount namespace of its own: `$1` is the hook, `$2` the root.
fn apart(bundle: &Bundle, script: &str) -> Outcome {
    let mut command = Command::new("unshare");
    let hook = env!("CARGO_BIN_EXE_berth-cdi-hook");
    command
        .args(["--mount", "--propagation", "private", "sh", "-eu", "-c", script, "sh", hook])
        .arg(bundle.root());
    finish(command, &bundle.state())
}

#[test]
fn the_profile_has_the_containers_gpus_and_stays_the_same() {
    let bundle = Bundle::debian();
    bundle.done(&["create-container", "--update-application-profile"]);
    assert!(!bundle.at("/etc/nvidia").exists(), "no GPU, no profile");
    for (name, minor) in [("nvidia0", 0), ("nvidia3", 3), ("nvidiactl", 255)] {
        let path = bundle.at(&format!("/dev/{name}"));
        mknod(&path, SFlag::S_IFCHR, Mode::from_bits_truncate(0o666), makedev(195, minor)).expect("a node");
    }
    bundle.write("/dev/nvidia1", b"no node");
    for _restart in 0..2 {
        bundle.done(&["create-container", "--update-application-profile"]);
        assert!(
            bundle.text(PROFILE).contains(r#"["EGLVisibleDGPUDevices",0x9]"#),
            "{}",
            bundle.text(PROFILE)
        );
    }
    assert_eq!(fs::metadata(bundle.at(PROFILE)).expect("a file").mode() & 0o7777, 0o444);
    assert_eq!(fs::metadata(bundle.at("/etc/nvidia")).expect("a folder").mode() & 0o7777, 0o555);
}

#[test]
fn the_setting_is_off_in_the_container_and_nothing_is_left_in_its_root() {
    let bundle = Bundle::debian();
    bundle.write(PARAMS, b"ResmanDebugLevel: 1\nModifyDeviceFiles: 1\n");
    let before = bundle.inside();
    let outcome = apart(
        &bundle,
        "cat > $2/../state; for i in 1 2; do $1 create-container --disable-device-node-modification < $2/../state; done
         grep -c . $2/proc/driver/nvidia/params >&2; grep Modify $2/proc/driver/nvidia/params >&2
         grep -c $2 /proc/self/mountinfo >&2; grep $2 /proc/self/mountinfo | cut -d' ' -f6 >&2
         ls $2/proc/driver/nvidia >&2; ! echo x > $2/proc/driver/nvidia/params",
    );
    assert_eq!(outcome.status, Some(0), "{outcome:?}");
    let told: Vec<_> = outcome.stderr.lines().take(5).collect();
    assert_eq!(
        told,
        ["2", "ModifyDeviceFiles: 0", "1", "ro,nosuid,nodev,noexec,relatime", "params"],
        "{outcome:?}"
    );
    assert_eq!(bundle.inside(), before);
    assert_eq!(bundle.text(PARAMS), "ResmanDebugLevel: 1\nModifyDeviceFiles: 1\n");
}

#[test]
fn a_container_without_the_drivers_file_needs_nothing() {
    let bundle = Bundle::debian();
    bundle.done(&["create-container", "--disable-device-node-modification"]);
    bundle.write(PARAMS, b"ModifyDeviceFiles: 0\n");
    bundle.done(&["disable-device-node-modification"]);
}

#[test]
fn a_read_only_root_starts_with_a_warning() {
    let bundle = Bundle::debian();
    mknod(&bundle.at("/dev/nvidia0"), SFlag::S_IFCHR, Mode::from_bits_truncate(0o666), makedev(195, 0))
        .expect("a node");
    let before = bundle.inside();
    let outcome = apart(
        &bundle,
        "mount --bind $2 $2; mount -o remount,bind,ro $2
         $1 create-container --link a::/usr/lib/b --folder /usr/lib/x86_64-linux-gnu --update-application-profile",
    );
    assert_eq!(outcome.status, Some(0), "{outcome:?}");
    let warnings =
        outcome.stderr.lines().filter(|line| line.contains("warning: ") && line.contains("Read-only"));
    assert_eq!(warnings.count(), 3, "{outcome:?}");
    assert_eq!(bundle.inside(), before);
}

#[test]
fn a_read_only_folder_of_the_profile_stops_nothing() {
    let bundle = Bundle::debian();
    mknod(&bundle.at("/dev/nvidia0"), SFlag::S_IFCHR, Mode::from_bits_truncate(0o666), makedev(195, 0))
        .expect("a node");
    bundle.make("/etc/nvidia");
    let script = "mount -t tmpfs -o ro tmpfs $2/etc/nvidia; $1 create-container --link a::/usr/lib/b --update-application-profile";
    let outcome = apart(&bundle, script);
    assert_eq!(outcome.status, Some(0), "{outcome:?}");
    assert!(outcome.stderr.contains("warning: cannot make the folder /etc/nvidia/"), "{outcome:?}");
    assert!(bundle.says("/usr/lib/b").is_some(), "no link");
}

#[test]
fn a_cache_that_somebody_mounted_stays() {
    let bundle = Bundle::debian();
    bundle.write("/etc/ld.so.cache", b"theirs");
    let script =
        "mount --bind $2/etc/debian_version $2/etc/ld.so.cache; $1 create-container --folder /usr/lib";
    let outcome = apart(&bundle, script);
    assert_eq!(outcome.status, Some(0), "{outcome:?}");
    assert!(outcome.stderr.contains("warning: cannot write /etc/ld.so.cache"), "{outcome:?}");
    assert_eq!(bundle.text("/etc/ld.so.cache"), "theirs");
    assert!(!bundle.at("/etc/.berth-cdi-hook.new").exists(), "something is left");
}

#[test]
fn a_volume_of_the_hosts_own_folder_is_not_written_to() {
    let bundle = Bundle::debian();
    bundle.make("/host");
    // The hook's own view of the host gets another /etc, which the container has as a volume.
    let outcome = apart(
        &bundle,
        "cat > $2/../state; mount -t tmpfs tmpfs /etc; echo host > /etc/ld.so.cache; mount --bind /etc $2/etc
         $1 create-container --folder /usr/lib --link a::/etc/b < $2/../state; ls /etc >&2; cat /etc/ld.so.cache >&2",
    );
    assert_eq!(outcome.status, Some(0), "{outcome:?}");
    assert!(
        outcome.stderr.contains("warning: /etc in the container is the host's own folder"),
        "{outcome:?}"
    );
    assert!(outcome.stderr.ends_with("ld.so.cache\nhost\n"), "{outcome:?}");
}
