//! MIG's capability nodes: who may open one may use the instance.

use crate::{
    machine::{Instance, Machine},
    tree::{Device, Tree},
};

/// Permission bits of the config capability: the administrator's alone.
pub(crate) const CONFIG_MODE: u32 = 0o400;
/// Permission bits of the monitor capability and of instances.
pub(crate) const ACCESS_MODE: u32 = 0o444;

/// `/dev/nvidia-caps/nvidia-capN` of config (1), monitor (2) and each instance.
pub(super) fn nodes(machine: &Machine) -> Tree {
    let mut tree = Tree::new();
    if !machine.can_divide() {
        return tree;
    }
    let major = machine.majors.caps;
    let mut cap = |minor, mode| {
        let device = Device { major, minor, mode, group: 0 };
        tree.device(format!("/dev/nvidia-caps/nvidia-cap{minor}"), device);
    };
    cap(1, CONFIG_MODE);
    cap(2, ACCESS_MODE);
    machine
        .instances
        .iter()
        .map(|instance: &Instance| instance.minor())
        .for_each(|minor| cap(minor, ACCESS_MODE));
    tree
}
