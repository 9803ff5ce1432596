//! Links in the container.

#![expect(clippy::disallowed_methods, reason = "looks at real trees")]

use std::{fs, os::unix::fs::MetadataExt as _, path::Path};

use crate::bundle::Bundle;

const LINK: &str = "/usr/lib/x86_64-linux-gnu/libcuda.so";

fn link(bundle: &Bundle, target: &str) {
    bundle.done(&["create-container", "--link", &format!("{target}::{LINK}")]);
}

#[test]
fn links_and_their_folders_are_made_and_a_repeat_changes_nothing() {
    let bundle = Bundle::new();
    link(&bundle, "libcuda.so.1");
    assert_eq!(bundle.says(LINK).as_deref(), Some(Path::new("libcuda.so.1")));
    let mode = fs::metadata(bundle.at("/usr/lib")).expect("a folder").mode();
    assert_eq!(mode & 0o7777, 0o755);
    let inside = bundle.inside();
    for _repeat in 0..3 {
        link(&bundle, "libcuda.so.1");
    }
    assert_eq!(bundle.inside(), inside);
}

#[test]
fn what_stands_in_the_place_gives_way() {
    for before in ["a link", "a file", "a dangling link"] {
        let bundle = Bundle::debian();
        match before {
            "a file" => bundle.write(LINK, b"old"),
            "a link" => bundle.link("../../../etc/debian_version", LINK),
            _ => bundle.link("nowhere", LINK),
        }
        link(&bundle, "libcuda.so.1");
        assert_eq!(bundle.says(LINK).as_deref(), Some(Path::new("libcuda.so.1")), "{before}");
        assert_eq!(bundle.text("/etc/debian_version"), "12.0\n", "{before}");
    }
}

#[test]
fn a_folder_in_the_place_stops_the_container_with_a_sentence() {
    let bundle = Bundle::debian();
    bundle.make(LINK);
    let outcome = bundle.run(&["create-container", "--link", &format!("libcuda.so.1::{LINK}")]);
    assert_eq!(outcome.status, Some(1));
    let wanted =
        format!("berth-cdi-hook: error: cannot make the link {LINK} in the container; check its permissions");
    assert!(outcome.stderr.starts_with(&wanted), "{}", outcome.stderr);
    assert_eq!(fs::read_dir(bundle.at("/usr/lib/x86_64-linux-gnu")).expect("a folder").count(), 1);
}

#[test]
fn optional_links_are_made_for_devices_that_the_container_has() {
    let bundle = Bundle::debian();
    bundle.write("/dev/dri/card1", b"");
    let links = [
        "../card1::/dev/dri/by-path/pci-0000:01:00.0-card",
        "../card2::/dev/dri/by-path/pci-0000:02:00.0-card",
    ];
    bundle.done(&["create-container", "--link-if-present", links[0], "--link-if-present", links[1]]);
    let names: Vec<_> = fs::read_dir(bundle.at("/dev/dri/by-path")).expect("a folder").collect();
    assert_eq!(names.len(), 1);
    assert_eq!(bundle.says("/dev/dri/by-path/pci-0000:01:00.0-card").as_deref(), Some(Path::new("../card1")));
}

#[test]
fn what_a_killed_hook_left_is_taken_away() {
    let bundle = Bundle::debian();
    bundle.write("/usr/lib/x86_64-linux-gnu/.berth-cdi-hook.new", b"half a link");
    link(&bundle, "libcuda.so.1");
    assert_eq!(fs::read_dir(bundle.at("/usr/lib/x86_64-linux-gnu")).expect("a folder").count(), 1);
}
