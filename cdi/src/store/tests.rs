//! What a replacement promises: whole files, final modes, no left-overs, whatever happens meanwhile.

#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "a temporary folder and real processes are the node"
)]

use std::{
    collections::BTreeSet,
    fs::{self, File},
    io::{Read, Write},
    os::unix::fs::{MetadataExt, PermissionsExt, symlink},
    path::Path,
};

use nix::{
    mount::{MsFlags, mount},
    sched::{CloneFlags, unshare},
    sys::{
        signal::{Signal, kill},
        wait::{WaitStatus, waitpid},
    },
    unistd::{Gid, Uid, geteuid, setgid, setgroups, setuid},
};

use super::*;
use crate::children::{finish, start};

fn names(folder: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("a name")).collect()
}

fn named(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(ToString::to_string).collect()
}

#[test]
fn a_file_is_made_and_replaced_at_its_mode_and_nothing_lies_beside_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("cdi/deep/nvidia.yaml");
    for (bytes, mode) in [("old", 0o644), ("new and longer", 0o600), ("", 0o640), ("x", 0o666)] {
        replace(&path, bytes.as_bytes(), mode).expect("a write");
        assert_eq!(read(&path, 100).expect("readable"), Some(bytes.into()));
        assert_eq!(fs::metadata(&path).expect("a file").mode() & 0o7777, mode);
    }
    assert_eq!(names(path.parent().expect("a folder")), named(&["nvidia.yaml"]));
    for _repeat in 0..2 {
        remove(&path).expect("a removal");
    }
    assert_eq!(read(&path, 100).expect("nothing"), None);
    remove(Path::new("/nonexistent/folder/x.json")).expect("nothing to remove");
}

#[test]
fn a_link_is_replaced_and_where_it_led_is_left_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let (target, link) = (folder.path().join("operators.yaml"), folder.path().join("nvidia.yaml"));
    fs::write(&target, "theirs").expect("a file");
    symlink(&target, &link).expect("a link");
    replace(&link, b"ours", 0o644).expect("a write");
    assert!(fs::symlink_metadata(&link).expect("a file").is_file());
    assert_eq!(fs::read_to_string(&target).expect("a file"), "theirs");
}

#[test]
fn what_is_no_file_is_never_replaced() {
    let folder = tempfile::tempdir().expect("a folder");
    let pipe = folder.path().join("pipe");
    nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).expect("a pipe");
    symlink(&pipe, folder.path().join("link")).expect("a link");
    fs::create_dir(folder.path().join("folder")).expect("a folder");
    for name in ["pipe", "link", "folder"] {
        let error = replace(&folder.path().join(name), b"x", 0o644).expect_err("no file");
        assert!(matches!(error, StoreError::NotAFile(_)), "{error}");
    }
    assert_eq!(names(folder.path()), named(&["pipe", "link", "folder"]));
}

#[test]
fn what_a_killed_writer_left_is_taken_over_by_the_next_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("nvidia.yaml");
    let left = folder.path().join(".nvidia.yaml.berth-new");
    for (content, mode) in [("", 0o600), ("half of a long spe", 0o600), ("whole", 0o600), ("whole", 0o644)] {
        fs::write(&path, "old").expect("a file");
        fs::write(&left, content).expect("a left-over");
        fs::set_permissions(&left, fs::Permissions::from_mode(mode)).expect("a mode");
        replace(&path, b"new", 0o644).expect("a write");
        assert_eq!(fs::read_to_string(&path).expect("a file"), "new");
        assert_eq!(names(folder.path()), named(&["nvidia.yaml"]));
        fs::write(&left, content).expect("a left-over");
        remove(&path).expect("a removal");
        assert_eq!(names(folder.path()), named(&[]));
    }
}

#[test]
fn a_trap_in_the_place_of_the_temporary_file_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("nvidia.yaml");
    let trap = folder.path().join(".nvidia.yaml.berth-new");
    let victim = folder.path().join("victim");
    fs::write(&victim, "precious").expect("a file");
    let traps: [fn(&Path, &Path); 4] = [
        |victim, trap| symlink(victim, trap).expect("a link"),
        |victim, trap| fs::hard_link(victim, trap).expect("a second name"),
        |_, trap| nix::unistd::mkfifo(trap, nix::sys::stat::Mode::S_IRWXU).expect("a pipe"),
        |_, trap| fs::create_dir(trap).expect("a folder"),
    ];
    for set in traps {
        set(&victim, &trap);
        let error = replace(&path, b"new", 0o644).expect_err("a trap");
        assert!(matches!(error, StoreError::Write { .. }), "{error}");
        assert_eq!(fs::read_to_string(&victim).expect("a file"), "precious");
        fs::remove_file(&trap).or_else(|_| fs::remove_dir(&trap)).expect("removed");
    }
}

/// Enters a mount namespace in which `folder` is a file system of 64 KiB.
fn enter_tiny_disk(folder: &Path) {
    let user = if geteuid().is_root() { CloneFlags::empty() } else { CloneFlags::CLONE_NEWUSER };
    unshare(CloneFlags::CLONE_NEWNS | user).expect("a namespace");
    let none = None::<&str>;
    mount(none, "/", none, MsFlags::MS_REC | MsFlags::MS_PRIVATE, none).expect("private mounts");
    mount(Some("tiny"), folder, Some("tmpfs"), MsFlags::empty(), Some("size=64k")).expect("a tiny disk");
}

#[test]
fn a_full_disk_leaves_the_old_file_and_nothing_else() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    finish(start(|| {
        enter_tiny_disk(folder);
        let path = folder.join("nvidia.yaml");
        replace(&path, &[b'o'; 9000], 0o644).expect("room");
        let error = replace(&path, &vec![b'n'; 1 << 20], 0o644).expect_err("no room");
        let source = std::error::Error::source(&error).expect("a reason").to_string();
        assert!(source.contains("No space left"), "{source}");
        assert_eq!(fs::read(&path).expect("the old file"), [b'o'; 9000]);
        assert_eq!(names(folder), named(&["nvidia.yaml"]));
        replace(&path, &[b'n'; 9000], 0o644).expect("room again");
    }));
}

#[test]
fn a_read_only_folder_leaves_the_old_file_and_says_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    finish(start(|| {
        enter_tiny_disk(folder);
        let path = folder.join("nvidia.yaml");
        replace(&path, b"old", 0o644).expect("room");
        let none = None::<&str>;
        mount(none, folder, none, MsFlags::MS_REMOUNT | MsFlags::MS_RDONLY, none).expect("read only");
        let error = replace(&path, b"new", 0o644).expect_err("read only");
        assert!(error.to_string().ends_with("stays as it was; check free space and permissions"), "{error}");
        assert_eq!(fs::read(&path).expect("the old file"), b"old");
        assert_eq!(names(folder), named(&["nvidia.yaml"]));
    }));
}

/// A document of its own length for each turn, so that a mixture of two would show.
fn document(turn: u8) -> Vec<u8> {
    vec![turn; 4096 * (1 + usize::from(turn % 7)) + 13]
}

fn is_whole(bytes: &[u8]) -> bool {
    bytes.first().is_some_and(|&turn| bytes == document(turn))
}

#[test]
fn a_writer_killed_at_any_point_leaves_a_whole_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("nvidia.yaml");
    replace(&path, &document(0), 0o644).expect("a first file");
    for round in 0..200_usize {
        let (mut progress, signal) = std::io::pipe().expect("a pipe");
        let child = start(std::panic::AssertUnwindSafe(|| {
            for turn in (0..=u8::MAX).cycle() {
                replace(&path, &document(turn), 0o644).expect("a write");
                (&signal).write_all(b".").expect("a reader");
            }
        }));
        drop(signal);
        // Killed while it writes some later turn, at whatever point the scheduler took it to.
        progress.read_exact(&mut vec![0; 1 + round % 5]).expect("turns");
        kill(child, Signal::SIGKILL).expect("running");
        waitpid(child, None).expect("an end");
        assert!(is_whole(&fs::read(&path).expect("a file")), "round {round}");
        assert_eq!(fs::metadata(&path).expect("a file").mode() & 0o7777, 0o644);
        let left = &names(folder.path()) - &named(&["nvidia.yaml"]);
        assert!(left.is_subset(&named(&[".nvidia.yaml.berth-new"])), "{left:?}");
    }
    replace(&path, &document(1), 0o644).expect("a write");
    assert_eq!(names(folder.path()), named(&["nvidia.yaml"]));
}

fn drop_to_nobody() {
    if geteuid().is_root() {
        setgroups(&[]).expect("no groups");
        setgid(Gid::from_raw(65534)).expect("nobody");
        setuid(Uid::from_raw(65534)).expect("nobody");
    }
}

#[test]
fn a_reader_without_privileges_never_meets_a_closed_or_partial_file() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).expect("open to all");
    let path = folder.path().join("nvidia.yaml");
    replace(&path, &document(0), 0o644).expect("a first file");
    let reader = start(|| {
        // From within, so that folders above may be closed to it.
        std::env::set_current_dir(folder.path()).expect("the folder");
        drop_to_nobody();
        for turn in 0..100_000_u32 {
            let mut file = File::open("nvidia.yaml").expect("never refused");
            assert_eq!(file.metadata().expect("a file").mode() & 0o7777, 0o644);
            if turn % 16 == 0 {
                let mut bytes = Vec::new();
                file.read_to_end(&mut bytes).expect("readable");
                assert!(is_whole(&bytes));
            }
        }
    });
    let mut regenerations = 0_u32;
    let end = loop {
        for turn in 0..16 {
            replace(&path, &document(turn), 0o644).expect("a write");
        }
        regenerations += 16;
        let state = waitpid(reader, Some(nix::sys::wait::WaitPidFlag::WNOHANG)).expect("a child");
        if state != WaitStatus::StillAlive {
            break state;
        }
    };
    assert_eq!(end, WaitStatus::Exited(reader, 0), "after {regenerations} regenerations");
    assert!(regenerations > 16, "the reader and the writer met");
}

#[test]
fn writers_of_one_file_take_turns() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("nvidia.yaml");
    std::thread::scope(|scope| {
        for writer in 0..4_u8 {
            let path = &path;
            scope.spawn(move || {
                for turn in 0..25 {
                    replace(path, &document(writer * 25 + turn), 0o644).expect("a turn");
                }
            });
        }
    });
    assert!(is_whole(&fs::read(&path).expect("a file")));
    assert_eq!(names(folder.path()), named(&["nvidia.yaml"]));
}
