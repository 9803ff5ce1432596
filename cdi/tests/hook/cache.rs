//! The loader's cache in different distributions.

#![expect(clippy::disallowed_methods, reason = "looks at real trees")]

use std::{fs, path::Path};

use berth_cdi::ldcache;

use crate::{
    bundle::Bundle,
    library::{X86_64, library},
};

const CACHE: &str = "/etc/ld.so.cache";
const DRIVER: &str = "/opt/driver/lib";
const CONF: &str = "/etc/ld.so.conf.d/00-berth-2-driver.conf";

/// Where the loader finds a library first, by the cache.
fn found(bundle: &Bundle, name: &str) -> Option<String> {
    let bytes = fs::read(bundle.at(CACHE)).expect("a cache");
    let entries = ldcache::parse(&bytes).expect("a cache");
    let entry = entries.iter().find(|entry| entry.name == name.as_bytes())?;
    Some(entry.path.to_str().expect("ASCII").into())
}

fn with_driver(bundle: &Bundle) {
    bundle.write(&format!("{DRIVER}/libcuda.so.550.163.01"), &library(X86_64, "libcuda.so.1"));
}

#[test]
fn the_drivers_libraries_are_found_in_any_distribution() {
    let plain = Bundle::new();
    plain.make("etc");
    let rpm = Bundle::new();
    rpm.write("/etc/ld.so.conf", b"include ld.so.conf.d/*.conf\n");
    rpm.write("/usr/lib64/libz.so.1", &library(X86_64, "libz.so.1"));
    rpm.link("usr/lib64", "/lib64");
    for (name, bundle) in
        [("debian", Bundle::debian()), ("rpm", rpm), ("distroless", plain), ("empty", Bundle::new())]
    {
        with_driver(&bundle);
        bundle.done(&["create-container", "--folder", DRIVER]);
        assert_eq!(found(&bundle, "libcuda.so.1").as_deref(), Some("/opt/driver/lib/libcuda.so.1"), "{name}");
        assert_eq!(
            bundle.says("/opt/driver/lib/libcuda.so.1").as_deref(),
            Some(Path::new("libcuda.so.550.163.01"))
        );
        assert_eq!(bundle.text(CONF), "/opt/driver/lib\n", "{name}");
        assert!(bundle.text("/etc/ld.so.conf").contains("include "), "{name}");
        if name == "rpm" {
            assert_eq!(found(&bundle, "libz.so.1").as_deref(), Some("/lib64/libz.so.1"));
        }
        let inside = bundle.inside();
        for _restart in 0..3 {
            bundle.done(&["create-container", "--folder", DRIVER]);
        }
        assert_eq!(bundle.inside(), inside, "{name}: something grows");
    }
}

#[test]
fn a_folder_that_the_container_lists_keeps_its_place() {
    let bundle = Bundle::debian();
    bundle.write("/usr/local/lib/libfoo.so.1", &library(X86_64, "libfoo.so.1"));
    bundle.write("/usr/lib/x86_64-linux-gnu/libfoo.so.1", &library(X86_64, "libfoo.so.1"));
    bundle.write("/usr/lib/x86_64-linux-gnu/libcuda.so.550.1", &library(X86_64, "libcuda.so.1"));
    bundle.done(&["create-container", "--folder", "/usr/lib/x86_64-linux-gnu"]);
    assert_eq!(found(&bundle, "libfoo.so.1").as_deref(), Some("/usr/local/lib/libfoo.so.1"));
    assert_eq!(found(&bundle, "libcuda.so.1").as_deref(), Some("/lib/x86_64-linux-gnu/libcuda.so.1"));
    assert!(!bundle.at(CONF).exists(), "nothing is new");
}

#[test]
fn a_link_that_was_asked_for_is_not_exchanged_for_the_images_newer_library() {
    for (folder, listed) in [(DRIVER, DRIVER), ("/usr/lib/x86_64-linux-gnu", "/lib/x86_64-linux-gnu")] {
        let bundle = Bundle::debian();
        for version in ["550.163.01", "999.1"] {
            bundle.write(&format!("{folder}/libcuda.so.{version}"), &library(X86_64, "libcuda.so.1"));
        }
        let link = format!("libcuda.so.550.163.01::{folder}/libcuda.so.1");
        bundle.done(&["create-container", "--link", &link, "--folder", folder]);
        let says = bundle.says(&format!("{folder}/libcuda.so.1"));
        assert_eq!(says.as_deref(), Some(Path::new("libcuda.so.550.163.01")));
        assert_eq!(found(&bundle, "libcuda.so.1"), Some(format!("{listed}/libcuda.so.1")));
    }
}

/// The driver of a Debian host in an image of the RPM kind: its folder is nothing that the image's loader knows.
#[test]
fn an_image_of_another_distribution_than_the_hosts_keeps_its_own_folders() {
    let bundle = Bundle::new();
    bundle.write("/etc/ld.so.conf", b"include ld.so.conf.d/*.conf\n");
    bundle.write("/usr/lib64/libc.so.6", &library(X86_64, "libc.so.6"));
    bundle.link("usr/lib64", "/lib64");
    bundle.write("/usr/lib/x86_64-linux-gnu/libcuda.so.550.163.01", &library(X86_64, "libcuda.so.1"));
    bundle.done(&["create-container", "--folder", "/usr/lib/x86_64-linux-gnu"]);
    assert_eq!(found(&bundle, "libc.so.6").as_deref(), Some("/lib64/libc.so.6"));
    assert_eq!(found(&bundle, "libcuda.so.1").as_deref(), Some("/usr/lib/x86_64-linux-gnu/libcuda.so.1"));
    assert_eq!(bundle.text(CONF), "/usr/lib/x86_64-linux-gnu\n");
}

#[test]
fn no_link_is_made_in_the_images_own_folders() {
    let bundle = Bundle::debian();
    bundle.write("/usr/local/lib/libfoo.so.1.2", &library(X86_64, "libfoo.so.1"));
    with_driver(&bundle);
    bundle.done(&["create-container", "--folder", DRIVER]);
    assert_eq!(found(&bundle, "libfoo.so.1").as_deref(), Some("/usr/local/lib/libfoo.so.1.2"));
    assert_eq!(bundle.says("/usr/local/lib/libfoo.so.1"), None);
}

#[test]
fn a_folder_that_is_no_longer_wanted_goes_again() {
    let bundle = Bundle::debian();
    with_driver(&bundle);
    bundle.done(&["create-container", "--folder", DRIVER]);
    bundle.done(&["update-ldcache", "--ldconfig-path", "/sbin/ldconfig"]);
    assert_eq!(found(&bundle, "libcuda.so.1"), None);
    assert!(!bundle.at(CONF).exists(), "an old folder stays");
}

#[test]
fn musl_gets_its_list_and_no_cache() {
    let bundle = Bundle::new();
    let loader = format!("/lib/ld-musl-{}.so.1", std::env::consts::ARCH);
    let list = format!("/etc/ld-musl-{}.path", std::env::consts::ARCH);
    bundle.write(&loader, b"");
    with_driver(&bundle);
    bundle.make("/usr/lib/x86_64-linux-gnu");
    for _restart in 0..2 {
        let folders = ["--folder", DRIVER, "--folder", "/usr/lib/x86_64-linux-gnu", "--folder", "/not/there"];
        bundle.done(&[&["create-container"], &folders[..]].concat());
        let wanted = "/lib\n/usr/local/lib\n/usr/lib\n/opt/driver/lib\n/usr/lib/x86_64-linux-gnu\n";
        assert_eq!(bundle.text(&list), wanted);
    }
    assert!(!bundle.at(CACHE).exists(), "nothing reads it");
}

#[test]
fn an_image_without_the_folder_is_left_with_its_own_libraries() {
    let bundle = Bundle::debian();
    bundle.write("/usr/lib/x86_64-linux-gnu/libz.so.1", &library(X86_64, "libz.so.1"));
    bundle.done(&["create-container", "--folder", "/not/there"]);
    assert_eq!(found(&bundle, "libz.so.1").as_deref(), Some("/lib/x86_64-linux-gnu/libz.so.1"));
}
