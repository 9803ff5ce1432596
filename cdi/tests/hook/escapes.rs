//! Images that try to make the hook change, read or open something outside of their root. Each attack is a tree; after
//! every one nothing outside has changed, and nothing from outside is in the container.

#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "makes hostile trees")]

use std::{fs, process::Command};

use crate::{
    bundle::{Bundle, finish},
    library::{X86_64, library},
};

/// Everything at once, as a spec asks for it.
const ALL: [&str; 13] = [
    "create-container",
    "--link",
    "libcuda.so.550.163.01::/usr/lib/x86_64-linux-gnu/libcuda.so.1",
    "--link-if-present",
    "../card1::/dev/dri/by-path/pci-0000:01:00.0-card",
    "--folder",
    "/usr/lib/x86_64-linux-gnu",
    "--folder",
    "/opt/driver",
    "--host-driver-version",
    "550.163.01",
    "--disable-device-node-modification",
    "--update-application-profile",
];

/// Runs everything twice on an image that `prepare` made hostile, given the path of the tree that stands for the host;
/// nobody may be the worse for it. The status is the image's own affair.
fn attack(name: &str, prepare: impl Fn(&Bundle, &str)) {
    let bundle = Bundle::debian();
    bundle.write("/usr/lib/x86_64-linux-gnu/libcuda.so.550.163.01", &library(X86_64, "libcuda.so.1"));
    bundle.write("/opt/driver/libnew.so.1", &library(X86_64, "libnew.so.1"));
    let outside = bundle.outside();
    prepare(&bundle, outside.to_str().expect("ASCII"));
    let before = bundle.canary();
    for _restart in 0..2 {
        let outcome = bundle.run(&ALL);
        assert!(matches!(outcome.status, Some(0 | 1)), "{name}: {outcome:?}");
        assert!(!outcome.stderr.contains("panicked"), "{name}: {outcome:?}");
    }
    assert_eq!(bundle.canary(), before, "{name}");
    let stolen = bundle.inside().into_iter().find(|(path, (.., content))| {
        !path.ends_with("hard-link") && content.windows(10).any(|part| part == b"the host's")
    });
    assert_eq!(stolen, None, "{name}");
}

fn up(outside: &str) -> String {
    format!("{}{outside}", "../".repeat(40))
}

fn replace(bundle: &Bundle, path: &str, target: &str) {
    let there = bundle.at(path);
    if there.is_symlink() || there.is_file() {
        fs::remove_file(&there).expect(path);
    } else if there.is_dir() {
        fs::remove_dir_all(&there).expect(path);
    }
    fs::create_dir_all(there.parent().expect("a folder")).expect(path);
    bundle.link(target, path);
}

#[test]
fn folders_that_are_links_to_the_host_stay_in_the_root() {
    for (folder, target) in [
        ("/etc", "/etc"),
        ("/etc/ld.so.conf.d", "/etc/ld.so.conf.d"),
        ("/etc/nvidia", "/empty"),
        ("/usr/lib/x86_64-linux-gnu", "/lib"),
        ("/usr/lib", "/lib"),
        ("/usr", ""),
        ("/opt", ""),
        ("/dev", ""),
        ("/dev/dri", "/empty"),
        ("/proc/driver", "/etc"),
    ] {
        attack(folder, |bundle, outside| replace(bundle, folder, &format!("{outside}{target}")));
        attack(folder, |bundle, outside| replace(bundle, folder, &up(&format!("{outside}{target}"))));
        attack(folder, |bundle, _| replace(bundle, folder, &format!("../../../../outside{target}")));
    }
}

#[test]
fn chains_of_links_end_in_the_root() {
    attack("chain", |bundle, outside| {
        bundle.link(up(outside), "/a");
        bundle.link("/a", "/b");
        replace(bundle, "/etc", "/b/etc");
    });
}

#[test]
fn files_that_are_links_to_the_host_are_replaced_not_followed() {
    for (file, target) in [
        ("/etc/ld.so.cache", "/etc/ld.so.cache"),
        ("/etc/ld.so.cache", "/new"),
        ("/etc/ld.so.conf", "/etc/ld.so.conf"),
        ("/etc/ld.so.conf.d/00-berth-1-compat.conf", "/secret"),
        ("/etc/ld.so.conf.d/00-berth-2-driver.conf", "/secret"),
        ("/etc/.berth-cdi-hook.new", "/secret"),
        ("/etc/ld.so.conf.d/.berth-cdi-hook.new", "/new"),
        ("/usr/lib/x86_64-linux-gnu/.berth-cdi-hook.new", ""),
        ("/usr/lib/x86_64-linux-gnu/libcuda.so.1", "/secret"),
        ("/opt/driver/libnew.so.1", "/lib/libhost.so.1"),
        ("/opt/driver/libevil.so.1", "/lib/libhost.so.1"),
        ("/etc/nvidia/nvidia-application-profiles-rc.d/10-container.conf", "/secret"),
        ("/proc/driver/nvidia/params", "/secret"),
    ] {
        attack(file, |bundle, outside| replace(bundle, file, &format!("{outside}{target}")));
        attack(file, |bundle, outside| replace(bundle, file, &up(&format!("{outside}{target}"))));
    }
}

#[test]
fn files_and_folders_of_the_host_are_not_included() {
    attack("include", |bundle, outside| {
        let lines = format!("include {outside}/etc/ld.so.conf\ninclude ../../../outside/*\n{outside}/lib\n");
        bundle.write("/etc/ld.so.conf", lines.as_bytes());
    });
}

/// With a real proc in the root, as a container has it at this point.
#[test]
fn ways_through_proc_are_no_ways() {
    for target in ["/proc/self/root", "/proc/self/cwd", "/proc/self/fd/3", "/proc/self/fd/0", "/proc/1/root"]
    {
        let bundle = Bundle::debian();
        bundle.make("/proc");
        replace(&bundle, "/etc", &format!("{target}{}/etc", bundle.outside().display()));
        let before = bundle.canary();
        let words = "create-container --link a::/etc/b --folder /usr/lib --update-application-profile";
        let script = format!("mount -t proc proc $2/proc; exec $1 {words}");
        let mut command = Command::new("unshare");
        let hook = env!("CARGO_BIN_EXE_berth-cdi-hook");
        command.args(["--mount", "--propagation", "private", "sh", "-eu", "-c", &script, "sh", hook]);
        command.arg(bundle.root());
        let outcome = finish(command, &bundle.state());
        assert_eq!(outcome.status, Some(1), "{target}: {outcome:?}");
        assert!(outcome.stderr.contains("/etc in the container"), "{target}: {outcome:?}");
        assert_eq!(bundle.canary(), before, "{target}");
    }
}

#[test]
fn links_whose_own_path_leads_up_stay_in_the_root() {
    let bundle = Bundle::debian();
    let before = bundle.canary();
    for link in ["/../../outside/secret", "/usr/../../../outside/new", "/usr/lib/../../../../outside/lib/x"] {
        bundle.done(&["create-container", "--link", &format!("evil::{link}")]);
        assert_eq!(bundle.canary(), before, "{link}");
    }
    assert!(bundle.says("/outside/secret").is_some(), "it is the container's own folder");
}

#[test]
fn a_hard_link_of_a_file_is_not_written_through() {
    attack("hard links", |bundle, outside| {
        for path in [
            "/etc/ld.so.cache",
            "/etc/ld.so.conf.d/00-berth-2-driver.conf",
            "/usr/lib/x86_64-linux-gnu/libcuda.so.1",
            "/hard-link",
        ] {
            fs::hard_link(format!("{outside}/secret"), bundle.at(path)).expect("a link");
        }
    });
}

#[test]
fn an_images_cuda_libraries_from_elsewhere_are_not_looked_at() {
    for (place, target) in [
        ("/usr/local/cuda/compat", "/lib"),
        ("/usr/local/cuda/compat/libcuda.so.999.1", "/lib/libhost.so.1"),
        ("/usr/local", ""),
    ] {
        attack(place, |bundle, outside| replace(bundle, place, &format!("{outside}{target}")));
        attack(place, |bundle, outside| replace(bundle, place, &up(&format!("{outside}{target}"))));
    }
}
