//! Images that try to stop the hook, to keep it busy, or to make it open what acts when it is opened.

#![expect(clippy::disallowed_methods, reason = "makes hostile trees")]

use std::fs;

use nix::{
    sys::{
        inotify::{AddWatchFlags, InitFlags, Inotify},
        stat::{Mode, SFlag, makedev, mknod},
    },
    unistd::mkfifo,
};
use proptest::prelude::*;

use crate::{
    bundle::Bundle,
    library::{X86_64, library},
};

const WORDS: [&str; 8] = [
    "create-container",
    "--folder",
    "/opt/driver",
    "--host-driver-version",
    "550.163.01",
    "--disable-device-node-modification",
    "--update-application-profile",
    "--link=a::/usr/lib/b",
];

/// Where an image may put something that is not a file.
const PLACES: [&str; 8] = [
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d/a.conf",
    "/etc/ld.so.conf.d/00-berth-1-compat.conf",
    "/opt/driver/libevil.so.1",
    "/usr/lib/x86_64-linux-gnu/libevil.so.1",
    "/usr/local/cuda/compat/libcuda.so.999.1",
    "/etc/nvidia/nvidia-application-profiles-rc.d/10-container.conf",
];

fn image() -> Bundle {
    let bundle = Bundle::debian();
    bundle.write("/opt/driver/libcuda.so.550.163.01", &library(X86_64, "libcuda.so.1"));
    bundle
}

fn free(bundle: &Bundle, place: &str) -> std::path::PathBuf {
    bundle.write(place, b"");
    fs::remove_file(bundle.at(place)).expect(place);
    bundle.at(place)
}

#[test]
fn pipes_are_not_waited_for() {
    for place in PLACES {
        let bundle = image();
        mkfifo(&free(&bundle, place), Mode::from_bits_truncate(0o666)).expect("a pipe");
        bundle.done(&WORDS);
    }
}

/// On a real host the opening of a node alone can act: a watchdog's starts it.
#[test]
fn devices_are_not_opened() {
    let opened = Inotify::init(InitFlags::IN_NONBLOCK).expect("a watch");
    let bundles: Vec<_> = PLACES
        .iter()
        .map(|place| {
            let bundle = image();
            let node = free(&bundle, place);
            mknod(&node, SFlag::S_IFCHR, Mode::from_bits_truncate(0o666), makedev(10, 130)).expect("a node");
            opened.add_watch(&node, AddWatchFlags::IN_OPEN).expect("a watch");
            bundle
        })
        .collect();
    for bundle in &bundles {
        bundle.done(&WORDS);
    }
    let events = opened.read_events().unwrap_or_default();
    let opens = events.iter().filter(|event| event.mask.contains(AddWatchFlags::IN_OPEN));
    assert_eq!(opens.count(), 0, "{events:?}");
}

/// So that the test above cannot pass because nothing is ever told.
#[test]
fn a_file_that_is_looked_at_is_seen_to_be_opened() {
    let opened = Inotify::init(InitFlags::IN_NONBLOCK).expect("a watch");
    let bundle = image();
    let library = bundle.at("/opt/driver/libcuda.so.550.163.01");
    opened.add_watch(&library, AddWatchFlags::IN_OPEN).expect("a watch");
    bundle.done(&WORDS);
    assert!(!opened.read_events().expect("events").is_empty(), "nothing is told");
}

#[test]
fn huge_files_are_not_read() {
    for place in PLACES {
        let bundle = image();
        let file = free(&bundle, place);
        fs::write(&file, b"").expect("a file");
        fs::OpenOptions::new().write(true).open(&file).expect("a file").set_len(1 << 40).expect("a hole");
        let outcome = bundle.run(&WORDS);
        assert_eq!(outcome.status, Some(0), "{place}: {outcome:?}");
    }
}

#[test]
fn a_folder_where_the_cache_belongs_stops_the_container_with_a_sentence() {
    let bundle = image();
    bundle.make("/etc/ld.so.cache");
    let outcome = bundle.run(&WORDS);
    assert_eq!(outcome.status, Some(1), "{outcome:?}");
    assert!(outcome.stderr.contains("error: cannot write /etc/ld.so.cache in the container"), "{outcome:?}");
}

#[test]
fn files_that_include_each_other_end() {
    let bundle = image();
    bundle.write(
        "/etc/ld.so.conf",
        b"include /etc/ld.so.conf\ninclude /etc/*.conf\ninclude /etc/ld.so.conf.d/*.conf\n",
    );
    bundle.write("/etc/ld.so.conf.d/a.conf", b"include b.conf\n/opt/a\n");
    bundle.write(
        "/etc/ld.so.conf.d/b.conf",
        b"include a.conf\ninclude /etc/ld.so.conf.d/../ld.so.conf.d/a.conf\n",
    );
    bundle.link("a.conf", "/etc/ld.so.conf.d/c.conf");
    bundle.link("d.conf", "/etc/ld.so.conf.d/d.conf");
    bundle.link(".", "/etc/again");
    bundle.write("/etc/e.conf", b"include /etc/again/again/again/*/*/*.conf\n");
    bundle.done(&WORDS);
}

#[test]
fn a_thousand_files_and_folders_are_enough() {
    let bundle = image();
    for number in 0..1_500 {
        bundle.write(&format!("/etc/ld.so.conf.d/{number}.conf"), format!("/opt/{number}\n").as_bytes());
        bundle.make(&format!("/opt/{number}"));
    }
    bundle.done(&WORDS);
}

#[test]
fn more_names_than_any_distribution_has_stop_the_container_with_a_sentence() {
    let bundle = image();
    for number in 0..50_001 {
        bundle.link("libcuda.so.550.163.01", &format!("/opt/driver/libx.so.{number}"));
    }
    let outcome = bundle.run(&WORDS);
    assert_eq!(outcome.status, Some(1), "{outcome:?}");
    assert!(
        outcome.stderr.contains("/opt/driver in the container holds more than 50000 names"),
        "{outcome:?}"
    );
}

#[test]
fn names_of_any_bytes_are_kept_out_of_the_way() {
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt as _};
    let bundle = image();
    for name in [&b"lib\xff.so.1"[..], b"lib\n.so.1", b"lib .so.1", b"lib99999999999999999999.so.1"] {
        fs::write(bundle.at("/opt/driver").join(OsStr::from_bytes(name)), library(X86_64, ""))
            .expect("a file");
    }
    bundle.done(&WORDS);
    let entries = berth_cdi::ldcache::parse(&fs::read(bundle.at("/etc/ld.so.cache")).expect("a cache"));
    assert_eq!(entries.expect("a cache").len(), 4, "three of the names, and the driver's");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    /// Libraries with wrong bytes anywhere, in every place where the hook looks at one.
    #[test]
    fn damaged_libraries_stop_nothing(at in 0usize..400, bytes in prop::collection::vec(any::<u8>(), 1..16), cut in 0usize..500) {
        let mut file = library(X86_64, "libevil.so.1");
        file.truncate(cut);
        for (place, byte) in file.iter_mut().skip(at).zip(bytes) {
            *place = byte;
        }
        let bundle = image();
        bundle.write("/opt/driver/libevil.so.1.2", &file);
        bundle.write("/usr/local/cuda/compat/libcuda.so.999.1", &file);
        bundle.done(&WORDS);
        let before = bundle.inside();
        bundle.done(&WORDS);
        prop_assert_eq!(bundle.inside(), before);
    }

    #[test]
    fn any_configuration_stops_nothing(text in "(include |hwcap |/|opt|[*?\\[\\]#=\n .a-c]){0,40}") {
        let bundle = image();
        bundle.write("/etc/ld.so.conf", text.as_bytes());
        bundle.done(&WORDS);
    }
}
