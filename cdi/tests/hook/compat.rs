//! CUDA forward compatibility with libraries as images bring them.

#![expect(clippy::disallowed_methods, reason = "looks at real trees")]

use std::fs;

use berth_cdi::ldcache;

use crate::{
    bundle::Bundle,
    library::{X86_64, library},
};

const CONF: &str = "/etc/ld.so.conf.d/00-berth-1-compat.conf";
const DRIVER: &str = "/usr/lib/x86_64-linux-gnu";

fn image(version: &str) -> Bundle {
    let bundle = Bundle::debian();
    bundle.write(&format!("{DRIVER}/libcuda.so.550.163.01"), &library(X86_64, "libcuda.so.1"));
    bundle.write(
        &format!("/usr/local/cuda-12.9/compat/libcuda.so.{version}"),
        &library(X86_64, "libcuda.so.1"),
    );
    bundle.link(format!("libcuda.so.{version}"), "/usr/local/cuda-12.9/compat/libcuda.so.1");
    bundle.link("/usr/local/cuda-12.9", "/usr/local/cuda");
    bundle
}

fn start(bundle: &Bundle, driver: &str) {
    bundle.done(&["create-container", "--host-driver-version", driver, "--folder", DRIVER]);
}

fn first(bundle: &Bundle) -> String {
    let entries =
        ldcache::parse(&fs::read(bundle.at("/etc/ld.so.cache")).expect("a cache")).expect("a cache");
    let entry = entries.iter().find(|entry| entry.name == b"libcuda.so.1").expect("libcuda");
    entry.path.to_str().expect("ASCII").into()
}

#[test]
fn a_newer_image_goes_first_and_an_older_one_does_not() {
    for (version, wanted) in [
        ("575.51.03", "/usr/local/cuda/compat/libcuda.so.1"),
        ("535.54.03", "/lib/x86_64-linux-gnu/libcuda.so.1"),
        ("550.200.01", "/lib/x86_64-linux-gnu/libcuda.so.1"),
    ] {
        let bundle = image(version);
        start(&bundle, "550.163.01");
        assert_eq!(first(&bundle), wanted, "{version}");
        assert_eq!(bundle.at(CONF).exists(), wanted.contains("compat"), "{version}");
    }
}

#[test]
fn a_container_that_starts_on_a_newer_host_uses_the_hosts_again() {
    let bundle = image("575.51.03");
    start(&bundle, "550.163.01");
    assert_eq!(bundle.text(CONF), "/usr/local/cuda/compat\n");
    start(&bundle, "580.82.07");
    assert!(!bundle.at(CONF).exists(), "an old choice stays");
    assert_eq!(first(&bundle), "/lib/x86_64-linux-gnu/libcuda.so.1");
}

#[test]
fn the_two_hooks_of_nvidia_choose_the_same() {
    let bundle = image("575.51.03");
    bundle.done(&["enable-cuda-compat", "--host-driver-version=550.163.01"]);
    bundle.done(&["update-ldcache", "--folder", DRIVER]);
    assert_eq!(first(&bundle), "/usr/local/cuda/compat/libcuda.so.1");
}

#[test]
fn two_libraries_or_none_are_no_choice() {
    let two = image("575.51.03");
    two.write("/usr/local/cuda-12.9/compat/libcuda.so.570.1", &library(X86_64, "libcuda.so.1"));
    let linked = image("575.51.03");
    fs::remove_file(linked.at("/usr/local/cuda-12.9/compat/libcuda.so.575.51.03")).expect("a file");
    linked.link(
        "/usr/lib/x86_64-linux-gnu/libcuda.so.550.163.01",
        "/usr/local/cuda-12.9/compat/libcuda.so.575.51.03",
    );
    for (name, bundle) in [("two", two), ("a link alone", linked), ("none", Bundle::debian())] {
        start(&bundle, "550.163.01");
        assert!(!bundle.at(CONF).exists(), "{name}");
    }
}
