//! Somebody who exchanges folders for links to the host while the hook works.

use std::{
    path::Path,
    sync::atomic::{AtomicBool, AtomicU32, Ordering},
    thread,
};

use nix::fcntl::{AT_FDCWD, RenameFlags, renameat2};

use crate::{
    bundle::Bundle,
    library::{X86_64, library},
};

/// Runs of the hook against each race.
const RUNS: u32 = 60;

/// Lets `folder` be itself and a link to `target` in turns, while the hook runs.
fn race(folder: &str, target: &str) {
    let bundle = Bundle::debian();
    bundle.write("/opt/driver/libcuda.so.550.163.01", &library(X86_64, "libcuda.so.1"));
    bundle.make(folder);
    let (place, other) = (bundle.at(folder), bundle.root().with_file_name("other"));
    let target = format!("{}{target}", bundle.outside().display());
    std::os::unix::fs::symlink(target, &other).expect("a link");
    let before = bundle.canary();
    let (done, turns) = (AtomicBool::new(false), AtomicU32::new(0));
    thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                exchange(&place, &other);
                turns.fetch_add(1, Ordering::Relaxed);
            }
        });
        for run in 0..RUNS {
            let link = format!("a{run}::{folder}/deep/er/link");
            let outcome = bundle.run(&[
                "create-container",
                "--link",
                &link,
                "--folder",
                "/opt/driver",
                "--update-application-profile",
            ]);
            assert!(matches!(outcome.status, Some(0 | 1)), "{outcome:?}");
        }
        done.store(true, Ordering::Relaxed);
    });
    assert!(turns.load(Ordering::Relaxed) > RUNS, "no race took place");
    assert_eq!(bundle.canary(), before, "{folder}");
}

fn exchange(one: &Path, other: &Path) {
    renameat2(AT_FDCWD, one, AT_FDCWD, other, RenameFlags::RENAME_EXCHANGE).expect("an exchange");
}

#[test]
fn nobody_wins_a_race_for_etc() {
    race("/etc", "/etc");
}

#[test]
fn nobody_wins_a_race_for_the_drivers_folder() {
    race("/opt/driver", "/lib");
}

#[test]
fn nobody_wins_a_race_for_a_folder_far_up() {
    race("/opt", "");
}
