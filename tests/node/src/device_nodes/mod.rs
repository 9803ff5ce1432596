//! The device nodes of a node, as data.

mod caps;
mod drm;
mod extras;
mod nvidia;
mod standard;

pub(crate) use self::caps::{ACCESS_MODE, CONFIG_MODE};
use crate::{
    layout::Layout,
    machine::Machine,
    tree::{Device, Tree},
};

/// All that is below /dev, and below the `dev` of the layout's other roots.
#[must_use]
pub fn device_nodes(machine: &Machine) -> Tree {
    let mut tree = standard::nodes();
    let mut driver = driver_nodes(machine);
    if machine.layout == Layout::DriverContainer {
        tree.merge(driver.clone().below(machine.layout.driver_root()));
    }
    driver.merge(extras::nodes(machine));
    tree.merge(driver.below(machine.layout.dev_root()));
    tree
}

fn driver_nodes(machine: &Machine) -> Tree {
    let mut tree = Tree::new();
    if machine.layout == Layout::Wsl {
        tree.device("/dev/dxg", Device::open_to_all(10, 125));
        return tree;
    }
    if machine.layout == Layout::TegraOrin || machine.kernel.is_none() {
        return tree;
    }
    tree.merge(nvidia::nodes(machine));
    tree.merge(caps::nodes(machine));
    tree.merge(drm::nodes(machine));
    tree
}
