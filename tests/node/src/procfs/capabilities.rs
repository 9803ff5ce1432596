//! MIG's capabilities in /proc: the list of all numbers, and a file for each one in use.

use crate::{
    device_nodes::{ACCESS_MODE, CONFIG_MODE},
    machine::{Feature, Instance, Machine},
    tree::Tree,
};

const FOLDER: &str = "/proc/driver/nvidia/capabilities";
/// Minor of the fabric's IMEX management capability: the first after those of MIG.
const IMEX_MANAGEMENT: u32 = 4323;

pub(super) fn files(machine: &Machine) -> Tree {
    let mut tree = Tree::new();
    tree.text("/proc/driver/nvidia-caps/mig-minors", minors());
    let mut put = |path: &str, minor, mode| tree.text(format!("{FOLDER}/{path}"), capability(minor, mode));
    if machine.can_divide() {
        put("mig/config", 1, CONFIG_MODE);
        put("mig/monitor", 2, ACCESS_MODE);
    }
    if machine.has(Feature::Imex) {
        put("fabric-imex-mgmt", IMEX_MANAGEMENT, CONFIG_MODE);
    }
    machine.instances.iter().for_each(|instance| put(&path(*instance), instance.minor(), ACCESS_MODE));
    tree
}

/// `gpu0/mig/gi7/ci0/access`: the list's name of the capability, with a `mig` folder in it.
fn path(instance: Instance) -> String {
    instance.capability().replacen("/gi", "/mig/gi", 1)
}

fn minors() -> String {
    let instances =
        Instance::all().map(|instance| format!("{} {}\n", instance.capability(), instance.minor()));
    std::iter::once("config 1\nmonitor 2\n".to_owned()).chain(instances).collect()
}

fn capability(minor: u32, mode: u32) -> String {
    format!("DeviceFileMinor: {minor}\nDeviceFileMode: {mode}\nDeviceFileModify: 1\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_names_every_capability_once() {
        let list = minors();
        assert_eq!(list.lines().count(), 4322);
        assert!(list.contains("\ngpu0/gi7/access 66\ngpu0/gi7/ci0/access 67\n"));
        assert!(list.ends_with("gpu31/gi14/ci7/access 4322\n"));
    }

    #[test]
    fn an_instances_file_lies_below_the_mig_folder_of_its_gpu() {
        assert_eq!(path(Instance { gpu: 1, gi: 2, ci: Some(0) }), "gpu1/mig/gi2/ci0/access");
    }
}
