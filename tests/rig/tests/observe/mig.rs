//! GPUs in parts, and what kinds of GPUs tell of themselves.

use std::path::Path;

use berth_allocator::inventory::{Coherence, MigMode};
use berth_cdi::host::{Capability, Want};
use berth_node::{layout::Layout, nvml::MigChange};

use super::*;

pub(crate) fn cut(profiles: &[&str]) -> Vec<MigChange> {
    let create = profiles.iter().map(|profile| MigChange::Create(profile.parse().expect("a profile")));
    [MigChange::Enable].into_iter().chain(create).collect()
}

#[test]
fn each_mig_device_has_its_ids_its_capabilities_and_their_nodes() {
    let simulated = Simulated::new(Layout::Debian, "2xh200", |recipe| {
        recipe.mig = vec![(1, cut(&["1g.18gb"; 7]))];
    });
    let snapshot = simulated.observe(&[Want::Inventory]).expect("a snapshot");
    let [whole, parted] = &snapshot.inventory.gpus[..] else { panic!("{:?}", snapshot.inventory) };
    assert_eq!((whole.mig_mode, parted.mig_mode), (MigMode::Disabled, MigMode::Enabled));
    assert_eq!(
        parted.mig_devices.iter().map(|device| device.index).collect::<Vec<_>>(),
        [0, 1, 2, 3, 4, 5, 6]
    );
    for device in &parted.mig_devices {
        assert!(!device.graphics);
        let (gpu, gi, ci) = (parted.minor, device.gpu_instance, device.compute_instance);
        for capability in [Capability::GpuInstance { gpu, gi }, Capability::ComputeInstance { gpu, gi, ci }] {
            let minor = snapshot.capabilities[&capability];
            let node = format!("/dev/nvidia-caps/nvidia-cap{minor}");
            assert_eq!(snapshot.nodes[Path::new(&node)].minor, minor, "{capability:?}");
        }
    }
    assert_eq!(snapshot.left_out, []);
}

#[test]
fn without_mig_devices_no_capability_is_looked_up() {
    let simulated = Simulated::new(Layout::Debian, "h200", |_| {});
    let snapshot = simulated.observe(&[Want::Inventory]).expect("a snapshot");
    assert!(snapshot.capabilities.is_empty());
    assert!(snapshot.nodes.keys().all(|node| !node.starts_with("/dev/nvidia-caps")));
}

#[test]
fn a_profile_with_graphics_is_told_from_one_without() {
    let simulated = Simulated::new(Layout::Debian, "rtx-pro-6000-blackwell-server", |recipe| {
        recipe.mig = vec![(0, cut(&["1g.24gb", "1g.24gb+gfx"]))];
    });
    let snapshot = simulated.observe(&[Want::Inventory]).expect("a snapshot");
    let devices = &snapshot.inventory.gpus[0].mig_devices;
    let mut graphics: Vec<_> = devices.iter().map(|device| device.graphics).collect();
    graphics.sort_unstable();
    assert_eq!(graphics, [false, true]);
}

#[test]
fn the_memory_of_a_grace_board_is_coherent() {
    for (board, wanted) in [("gb200", Coherence::Coherent), ("t4", Coherence::NonCoherent)] {
        let simulated = Simulated::new(Layout::Rpm, board, |_| {});
        let snapshot = simulated.observe(&[Want::Inventory]).expect("a snapshot");
        assert_eq!(snapshot.inventory.gpus[0].coherence, wanted, "{board}");
    }
}
