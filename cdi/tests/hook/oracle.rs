//! The cache against glibc itself: `ldconfig` on a copy of the tree, and a real program in the root.

#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "runs the system's own tools")]

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use berth_cdi::root::Root;
use proptest::prelude::*;

use crate::{
    bundle::Bundle,
    library::{ARM64, I386, X86_64, library},
};

fn ldconfig(words: &[&str], root: &Path) -> String {
    let output =
        Command::new("/sbin/ldconfig").arg("-r").arg(root).args(words).output().expect("glibc's tool");
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).expect("ASCII")
}

/// Each line of the cache.
fn printed(root: &Path) -> Vec<(String, String)> {
    let printed = ldconfig(&["-p"], root);
    let lines = printed.lines().filter_map(|line| line.trim().split_once(" => "));
    lines.map(|(key, path)| (key.to_owned(), path.to_owned())).collect()
}

/// The same, each path exchanged for the file that it leads to.
fn listed(root: &Path) -> Vec<(String, PathBuf)> {
    printed(root).into_iter().map(|(key, path)| (key, resolved(root, &path))).collect()
}

fn resolved(root: &Path, path: &str) -> PathBuf {
    Root::new(root).and_then(|root| root.resolve(Path::new(path))).expect(path)
}

fn fill(bundle: &Bundle) {
    let system = "/usr/lib/x86_64-linux-gnu";
    for (path, kind, soname) in [
        ("libz.so.1.2.13", X86_64, "libz.so.1"),
        ("libz.so.1.2.9", X86_64, "libz.so.1"),
        ("libnoname.so", X86_64, ""),
        ("libfoo.so.9", X86_64, "libfoo.so.9"),
        ("libfoo.so.10", X86_64, "libfoo.so.10"),
        ("libarm.so.1", ARM64, "libarm.so.1"),
        ("libcuda.so.550.163.01", X86_64, "libcuda.so.1"),
        ("libnvidia-ml.so.550.163.01", X86_64, "libnvidia-ml.so.1"),
        ("ld-linux-x86-64.so.2", X86_64, "ld-linux-x86-64.so.2"),
        ("glibc-hwcaps/x86-64-v3/libz.so.1.2.13", X86_64, "libz.so.1"),
        ("glibc-hwcaps/x86-64-v2/libz.so.1.2.13", X86_64, "libz.so.1"),
    ] {
        bundle.write(&format!("{system}/{path}"), &library(kind, soname));
    }
    bundle.write("/usr/lib/i386-linux-gnu/libcuda.so.550.163.01", &library(I386, "libcuda.so.1"));
    bundle.write("/usr/local/lib/libfoo.so.9", &library(X86_64, "libfoo.so.9"));
    bundle.write("/opt/a b/libspace.so.1", &library(X86_64, "libspace.so.1"));
    bundle.write("/usr/lib/libold.so.1", &library(X86_64, "libold.so.1"));
    bundle.write(&format!("{system}/libscript.so"), b"INPUT(libz.so.1)\n");
    bundle.write(&format!("{system}/libempty.so.1"), b"");
    for (target, link) in [
        ("libz.so.1.2.13", "libz.so.1"),
        ("libz.so.1", "libz.so"),
        ("/usr/lib/x86_64-linux-gnu/libfoo.so.10", "libfoo.so"),
        ("libfoo.so.10", "libalias.so.3"),
        ("../libold.so.1", "libold-elsewhere.so"),
        ("nowhere", "libdangling.so.1"),
    ] {
        bundle.link(target, &format!("{system}/{link}"));
    }
    bundle.write("/etc/ld.so.conf.d/i386.conf", b"/usr/lib/i386-linux-gnu\n");
    bundle
        .write("/etc/ld.so.conf.d/space.conf", b"  /opt/a b/ # with a space\nhwcap 0 nosegneg\n/opt/gone\n");
    bundle.write("/etc/ld.so.conf.d/ignored.conf.off", b"/opt/off\n");
    bundle.write("/opt/off/liboff.so.1", &library(X86_64, "liboff.so.1"));
}

#[test]
fn the_cache_lists_what_ldconfig_lists() {
    let (ours, theirs) = (Bundle::debian(), Bundle::debian());
    fill(&ours);
    fill(&theirs);
    ldconfig(&[], &theirs.root());
    ours.done(&[
        "create-container",
        "--folder",
        "/usr/lib/x86_64-linux-gnu",
        "--folder",
        "/usr/lib/i386-linux-gnu",
    ]);
    let (got, wanted) = (listed(&ours.root()), listed(&theirs.root()));
    assert!(wanted.len() > 15, "ldconfig saw only {wanted:#?}");
    assert_eq!(got, wanted);
}

#[test]
fn a_later_ldconfig_in_the_container_changes_nothing() {
    let bundle = Bundle::debian();
    fill(&bundle);
    bundle.write("/opt/driver/libnew.so.1", &library(X86_64, "libnew.so.1"));
    bundle.done(&["create-container", "--folder", "/opt/driver"]);
    let before = listed(&bundle.root());
    assert!(before.iter().any(|(key, _)| key.starts_with("libnew.so.1 ")), "{before:?}");
    ldconfig(&[], &bundle.root());
    assert_eq!(listed(&bundle.root()), before);
}

/// The files that a program of this machine needs, by what its loader says.
fn needs(program: &Path) -> BTreeMap<String, PathBuf> {
    let output =
        Command::new("/lib64/ld-linux-x86-64.so.2").arg("--list").arg(program).output().expect("a loader");
    let text = String::from_utf8(output.stdout).expect("ASCII");
    let lines = text.lines().filter_map(|line| line.trim().split_once(" => "));
    let files = lines.filter_map(|(name, rest)| Some((name.to_owned(), rest.split(' ').next()?.into())));
    files.filter(|(_, path): &(String, PathBuf)| path.is_absolute()).collect()
}

/// Exchanges a name in the string tables of an ELF file; the new one is not longer.
fn renamed(mut file: Vec<u8>, from: &str, to: &str) -> Vec<u8> {
    let mut new = to.as_bytes().to_vec();
    new.resize(from.len(), 0);
    let places: Vec<_> = file
        .windows(from.len())
        .enumerate()
        .filter(|(_, part)| *part == from.as_bytes())
        .map(|(at, _)| at)
        .collect();
    for at in places {
        file.splice(at..at + from.len(), new.iter().copied());
    }
    file
}

fn in_root(bundle: &Bundle, words: &[&str]) -> Output {
    Command::new("/usr/sbin/chroot").arg(bundle.root()).args(words).env_clear().output().expect("chroot")
}

/// A real program whose one library is renamed to the driver's and lies where only the cache leads to.
#[test]
fn a_real_program_finds_the_drivers_library_by_the_cache_alone() {
    const LIBRARY: &str = "libselinux.so.1";
    let program = Path::new("/bin/ls");
    let needed = needs(program);
    assert!(needed.contains_key(LIBRARY), "another ls than expected: {needed:?}");
    let bundle = Bundle::debian();
    bundle.write("/usr/bin/ls", &renamed(fs::read(program).expect("ls"), LIBRARY, "libcuda.so.1"));
    fs::copy("/lib64/ld-linux-x86-64.so.2", bundle.at("/usr/lib64/ld-linux-x86-64.so.2")).expect("a loader");
    fs::set_permissions(bundle.at("/usr/bin/ls"), fs::metadata(program).expect("ls").permissions())
        .expect("a mode");
    for (name, path) in needed {
        let bytes = fs::read(&path).expect("a library");
        if name == LIBRARY {
            bundle.write("/opt/driver/libcuda.so.550.163.01", &renamed(bytes, LIBRARY, "libcuda.so.1"));
        } else {
            bundle.write(&format!("/usr/lib/x86_64-linux-gnu/{name}"), &bytes);
        }
    }
    let before = in_root(&bundle, &["/usr/bin/ls", "/opt"]);
    let told = String::from_utf8_lossy(&before.stderr).into_owned();
    assert!(told.contains("libcuda.so.1: cannot open shared object file"), "{told}");

    bundle.done(&["create-container", "--folder", "/opt/driver"]);
    let after = in_root(&bundle, &["/usr/bin/ls", "/opt"]);
    assert_eq!(String::from_utf8_lossy(&after.stdout), "driver\n", "{after:?}");
    let listed = in_root(&bundle, &["/lib64/ld-linux-x86-64.so.2", "--list", "/usr/bin/ls"]);
    let text = String::from_utf8_lossy(&listed.stdout).into_owned();
    assert!(text.contains("libcuda.so.1 => /opt/driver/libcuda.so.1 ("), "{text}");
}

const NAMES: [&str; 9] = [
    "liba.so",
    "liba.so.1",
    "liba.so.1.2",
    "liba.so.1.10",
    "liba.so.2",
    "libb.so",
    "libb.so.1",
    "libb.so.1.1",
    "ld-a.so.1",
];

/// A name stands for nothing, a link to another name, or a library with one of the names, or none, as its own.
#[derive(Debug, Clone, Copy)]
enum Stands {
    Nothing,
    Link(&'static str),
    Library(&'static str),
    Nameless,
}

fn stands() -> impl Strategy<Value = Stands> {
    let place = prop::sample::select(&NAMES[..]);
    prop_oneof![
        2 => Just(Stands::Nothing),
        2 => place.clone().prop_map(Stands::Link),
        4 => place.prop_map(Stands::Library),
        1 => Just(Stands::Nameless),
    ]
}

fn put(bundle: &Bundle, folder: &str, tree: &[Stands]) {
    for (name, stands) in NAMES.iter().zip(tree) {
        let path = format!("{folder}/{name}");
        match stands {
            Stands::Nothing => {}
            Stands::Link(to) => bundle.link(to, &path),
            Stands::Library(soname) => bundle.write(&path, &library(X86_64, soname)),
            Stands::Nameless => bundle.write(&path, &library(X86_64, "")),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, ..ProptestConfig::default() })]

    /// Without links being made: where they change what other links lead to, the order of the folder's entries counts.
    #[test]
    fn any_folder_is_listed_as_ldconfig_lists_it(tree in prop::collection::vec(stands(), NAMES.len())) {
        let (ours, theirs) = (Bundle::debian(), Bundle::debian());
        for bundle in [&ours, &theirs] {
            put(bundle, "/usr/lib/x86_64-linux-gnu", &tree);
        }
        ldconfig(&["-X"], &theirs.root());
        ours.done(&["update-ldcache"]);
        let (got, wanted) = (printed(&ours.root()), printed(&theirs.root()));
        let keys = |listed: &[(String, String)]| listed.iter().map(|(key, _)| key.clone()).collect::<Vec<_>>();
        prop_assert_eq!(keys(&got), keys(&wanted));
        let root = Root::new(ours.root()).expect("a root");
        for ((key, path), (_, theirs)) in got.iter().zip(&wanted) {
            let file = root.resolve(Path::new(path));
            prop_assert!(file.is_ok(), "{key} leads nowhere: {path}");
            // A name that stands for nothing: their entry waits for a link, ours has the file.
            prop_assert!(path == theirs || root.resolve(Path::new(theirs)).is_err(), "{key}: {path}, not {theirs}");
        }
    }
}
