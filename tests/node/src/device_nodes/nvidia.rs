//! The NVIDIA driver's own nodes.

use crate::{
    machine::{Machine, majors},
    tree::{Device, Tree},
};

/// `/dev/nvidiaN` and the control nodes.
pub(super) fn nodes(machine: &Machine) -> Tree {
    let mut tree = Tree::new();
    for gpu in machine.driven() {
        tree.device(format!("/dev/nvidia{}", gpu.minor), Device::open_to_all(majors::NVIDIA, gpu.minor));
    }
    tree.device("/dev/nvidiactl", Device::open_to_all(majors::NVIDIA, majors::CONTROL));
    tree.device("/dev/nvidia-modeset", Device::open_to_all(majors::NVIDIA, majors::MODESET));
    tree.device("/dev/nvidia-uvm", Device::open_to_all(machine.majors.uvm, 0));
    tree.device("/dev/nvidia-uvm-tools", Device::open_to_all(machine.majors.uvm, 1));
    tree
}
