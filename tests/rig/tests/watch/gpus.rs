//! GPUs and their parts come and go.

use berth_fake_nvml::state::GpuFault;
use berth_node::{
    change::{self, Fault},
    machine::{Feature, Gpu, parse_gpus, place},
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

/// A node whose driver is held by its own daemon, so that the watching one listens to the driver, too.
fn listening(boards: &str) -> Watched {
    let mut watched = Watched::new(boards, |recipe| recipe.features.push(Feature::Persistenced));
    watched.until_line("unchanged");
    watched
}

#[test]
fn a_lost_gpu_is_left_out_and_named_and_put_back_when_it_returns() {
    let mut watched = listening("3xh200");
    change::fault(&mut watched.node, &Fault::Gpu(1, GpuFault::Lost)).expect("a fault");
    let line = watched.until_line("lost");
    assert!(line.contains("gpu 1"), "{line}");
    watched.until_line("written, 1 left out");
    assert_eq!(watched.devices(), ["0", "2", "all"]);
    // A GPU comes back by a reset or another board: the kernel takes it off the bus and finds it again.
    change::clear(&mut watched.node).expect("mended");
    change::remove(&mut watched.node, 1).expect("taken off");
    let again = plugged(&watched, "h200");
    change::add(&mut watched.node, &again).expect("found again");
    watched.until(|watched| watched.devices() == ["0", "1", "2", "all"]);
    watched.stop();
}

#[test]
fn mig_devices_go_though_their_nodes_stay() {
    let mut watched = listening("h200");
    let store = watched.node.store();
    let change = |change: &MigChange| {
        store.update(|state| berth_node::nvml::change(state, 0, change)).expect("a change by nvidia-smi");
    };
    change(&MigChange::Enable);
    change(&create("3g.71gb"));
    change(&create("3g.71gb"));
    watched.node.sync().expect("nodes");
    watched.until(|watched| watched.devices() == ["0:0", "0:1", "all"]);
    change(&MigChange::Destroy(None));
    watched.until_line("no new spec; the old file stays: ");
    change(&MigChange::Disable);
    watched.until(|watched| watched.devices() == ["0", "all"]);
    watched.stop();
}
