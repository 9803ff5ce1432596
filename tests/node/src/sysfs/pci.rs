//! A GPU on the PCI bus.

use crate::{
    machine::{Feature, Gpu, Machine},
    tree::Tree,
};

/// First IOMMU group of a GPU; those before it are bridges'.
const FIRST_GROUP: u32 = 40;

/// The device's folder, and what points to it.
pub(super) fn files(machine: &Machine, gpu: &Gpu) -> Tree {
    let mut tree = Tree::new();
    let device = format!("/sys/bus/pci/devices/{}", gpu.bus);
    for (name, value) in [
        ("vendor", "0x10de".to_owned()),
        ("device", format!("0x{:04x}", gpu.device_id)),
        ("subsystem_vendor", "0x10de".to_owned()),
        ("class", format!("0x{:04x}00", gpu.class)),
        ("numa_node", gpu.numa.to_string()),
        ("enable", "1".to_owned()),
        ("uevent", format!("DRIVER=nvidia\nPCI_SLOT_NAME={}", gpu.bus)),
    ] {
        tree.text(format!("{device}/{name}"), format!("{value}\n"));
    }
    if machine.has(Feature::Iommu) {
        group(&mut tree, gpu, &device);
    }
    if machine.kernel.is_some() {
        tree.link(format!("{device}/driver"), "../../drivers/nvidia");
        tree.link(format!("/sys/bus/pci/drivers/nvidia/{}", gpu.bus), format!("../../devices/{}", gpu.bus));
        drm(&mut tree, gpu, &device);
    }
    tree
}

fn group(tree: &mut Tree, gpu: &Gpu, device: &str) {
    let number = FIRST_GROUP + gpu.minor;
    tree.link(format!("{device}/iommu_group"), format!("../../../../kernel/iommu_groups/{number}"));
    let member = format!("/sys/kernel/iommu_groups/{number}/devices/{}", gpu.bus);
    tree.link(member, format!("../../../../bus/pci/devices/{}", gpu.bus));
    tree.text(format!("/sys/kernel/iommu_groups/{number}/type"), "DMA-FQ\n");
}

fn drm(tree: &mut Tree, gpu: &Gpu, device: &str) {
    for (name, minor) in
        [(format!("card{}", gpu.card()), gpu.card()), (format!("renderD{}", gpu.render()), gpu.render())]
    {
        tree.text(format!("{device}/drm/{name}/dev"), format!("226:{minor}\n"));
        tree.link(format!("{device}/drm/{name}/device"), "../..");
        tree.link(format!("/sys/class/drm/{name}"), format!("../../bus/pci/devices/{}/drm/{name}", gpu.bus));
    }
}
