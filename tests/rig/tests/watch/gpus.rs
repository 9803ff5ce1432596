//! GPUs and their parts come and go.

use berth_node::{
    change,
    machine::{Gpu, parse_gpus, place},
    nvml::MigChange,
};

use super::*;

fn create(profile: &str) -> MigChange {
    MigChange::Create(profile.parse().expect("a profile"))
}

fn plugged(watched: &Watched, board: &str) -> Gpu {
    let placed = place(&parse_gpus(board).expect("a board"), &watched.node.machine().gpus).expect("a slot");
    placed.into_iter().next().expect("one board")
}

#[test]
fn mig_devices_appear_by_their_nodes() {
    let mut watched = Watched::new("2xh200", |_| {});
    change::mig(&mut watched.node, 0, &MigChange::Enable).expect("the mode");
    change::mig(&mut watched.node, 0, &create("3g.71gb")).expect("an instance");
    watched.until(|watched| watched.devices() == ["0:0", "1", "all"]);
    change::mig(&mut watched.node, 0, &create("1g.18gb")).expect("an instance");
    watched.until(|watched| watched.devices() == ["0:0", "0:1", "1", "all"]);
    watched.until_true();
    watched.stop();
}

#[test]
fn a_gpu_that_is_plugged_in_or_pulled_out_is_followed() {
    let mut watched = Watched::new("2xh200", |_| {});
    let third = plugged(&watched, "h200");
    change::add(&mut watched.node, &third).expect("a gpu");
    watched.until(|watched| watched.devices() == ["0", "1", "2", "all"]);
    change::remove(&mut watched.node, 1).expect("no gpu");
    watched.until(|watched| watched.devices() == ["0", "1", "all"]);
    watched.until_true();
    watched.stop();
}

#[test]
fn when_no_gpu_is_left_the_old_file_stays() {
    let mut watched = Watched::new("h200", |_| {});
    let before = watched.text();
    change::remove(&mut watched.node, 0).expect("no gpu");
    watched.until_line("no new spec; the old file stays: ");
    assert_eq!(watched.text(), before);
    watched.stop();
}
