//! The driver comes, goes and changes.

use berth_node::{
    change::{self, Stage},
    machine::Feature,
    node::DriverSource,
};

use super::*;

#[test]
fn a_driver_that_is_loaded_late_is_described_when_it_answers() {
    let mut watched = Watched::starting("2xh200", |_| {});
    change::unload(&mut watched.node).expect("an unload");
    watched.until_line("run/cdi/nvidia.yaml");
    change::load(&mut watched.node, None).expect("a load");
    watched.until_true();
    assert_eq!(watched.devices(), ["0", "1", "all"]);
    watched.stop();
}

#[test]
fn a_reload_keeps_the_file_while_the_driver_is_away() {
    let mut watched = Watched::new("2xh200", |_| {});
    let before = watched.text();
    change::unload(&mut watched.node).expect("an unload");
    let line = watched.until_line("warning");
    assert!(line.contains("no new spec; the old file stays: "), "{line}");
    assert_eq!(watched.text(), before);
    change::load(&mut watched.node, Some(511)).expect("a load");
    watched.until_line("unchanged");
    watched.until_true();
    assert_eq!(watched.text(), before, "no number of a device stands in it");
    watched.stop();
}

#[test]
fn an_upgrade_ends_in_the_new_drivers_files() {
    let mut watched = Watched::new("h200", |_| {});
    let new = DriverSource::StandIn("570.86.10".parse().expect("a version"));
    for stage in [Stage::Unpacked, Stage::Linked, Stage::Loaded] {
        change::upgrade(&mut watched.node, &new, stage).expect("a stage");
        assert!(watched.text().is_some(), "a file stands at every stage");
    }
    watched
        .until(|watched| mounts(&watched.spec()).iter().any(|path| path.ends_with("libcuda.so.570.86.10")));
    watched.until_true();
    watched.stop();
}

#[test]
fn a_socket_that_comes_late_is_mounted() {
    let mut watched = Watched::new("h200", |_| {});
    let socket = |spec: &Spec| mounts(spec).iter().any(|path| path.ends_with("nvidia-persistenced/socket"));
    assert!(!socket(&watched.spec()));
    change::feature(&mut watched.node, Feature::Persistenced, true).expect("a daemon");
    watched.until(|watched| socket(&watched.spec()));
    change::feature(&mut watched.node, Feature::Persistenced, false).expect("no daemon");
    watched.until(|watched| !socket(&watched.spec()));
    watched.stop();
}
