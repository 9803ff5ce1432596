//! The whole host tree of a machine, as data.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

use crate::{
    device_nodes::device_nodes,
    driver::DriverFile,
    layout::{self, Layout},
    machine::{DriverVersion, Feature, Machine},
    procfs::{KernelDevices, procfs},
    sysfs::sysfs,
    tree::{Content, Entry, Tree},
};

/// The driver's files of one version, and what stands for its NVML.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DriverFiles {
    /// Their version.
    pub version: DriverVersion,
    /// All of them, at Debian's places.
    pub files: Vec<DriverFile>,
    /// The library that takes the place of `libnvidia-ml.so.<version>`, outside the tree.
    pub nvml: Option<PathBuf>,
}

/// What a node without GPUs has too: the folders that programs expect, and a name.
#[must_use]
pub fn skeleton() -> Tree {
    let mut tree = layout::merged_usr();
    for folder in
        ["/etc/cdi", "/run/cdi", "/run/udev", "/usr/share", "/var/lib", "/proc", "/sys/bus/pci/devices"]
    {
        tree.folder(folder);
    }
    tree.put("/tmp", Entry::Folder { mode: 0o1777 });
    // Relative: a program that follows it from outside stays in the tree.
    tree.link("/var/run", "../run");
    tree.text("/etc/hostname", "gpu-node\n");
    tree.text("/etc/ld.so.conf", "include /etc/ld.so.conf.d/*.conf\n");
    tree
}

/// Programs that are installed in /usr/bin.
#[must_use]
pub fn programs(programs: &[PathBuf]) -> Tree {
    let mut tree = Tree::new();
    for program in programs {
        let content = Content::SameAs(program.clone());
        let name = program.file_name().unwrap_or_default();
        tree.put(Path::new("/usr/bin").join(name), Entry::File { content, mode: 0o755 });
    }
    tree
}

/// The driver's files on disk.
///
/// While two versions lie side by side, as in the midst of an upgrade, links lead to the machine's
/// userland version, and the other's files lie beside it.
#[must_use]
pub fn userland(machine: &Machine, installed: &DriverFiles, unpacked: Option<&DriverFiles>) -> Tree {
    let mut tree =
        unpacked.map_or_else(Tree::new, |files| of_version(machine.layout, files, &machine.lacking));
    tree.merge(of_version(machine.layout, installed, &machine.lacking));
    tree.merge(configuration(machine));
    layout::add_cache(&mut tree, machine.layout);
    tree
}

fn of_version(layout: Layout, driver: &DriverFiles, lacking: &BTreeSet<String>) -> Tree {
    let mut tree = layout::userland(layout, &driver.files, &driver.version);
    if let (Some(folder), Some(nvml)) = (layout::library_folder(layout), &driver.nvml) {
        let suffix = if layout == Layout::Wsl { "1".into() } else { driver.version.to_string() };
        tree.put(folder.join(format!("libnvidia-ml.so.{suffix}")), library(nvml, lacking));
    }
    tree
}

fn library(nvml: &Path, lacking: &BTreeSet<String>) -> Entry {
    let content = Content::Library { library: nvml.to_path_buf(), lacking: lacking.clone() };
    Entry::File { content, mode: 0o644 }
}

fn configuration(machine: &Machine) -> Tree {
    let mut tree = Tree::new();
    if machine.layout == Layout::Debian {
        tree.text("/etc/debian_version", "12.11\n");
    }
    if machine.has(Feature::Gds) {
        tree.text("/etc/cufile.json", "{\"properties\": {\"allow_compat_mode\": true}}\n");
        tree.text("/run/udev/control.README", "state of the device manager\n");
    }
    tree
}

/// What the kernel and the daemons of the machine show: /dev, /proc, /sys, sockets.
#[must_use]
pub fn running(machine: &Machine, kernel: &KernelDevices) -> Tree {
    let mut tree = device_nodes(machine);
    tree.merge(procfs(machine, kernel));
    tree.merge(sysfs(machine));
    let sockets = [(Feature::Persistenced, "persistenced"), (Feature::Fabricmanager, "fabricmanager")];
    for (_, name) in sockets.into_iter().filter(|(feature, _)| machine.has(*feature)) {
        tree.put(Path::new("/run").join(format!("nvidia-{name}/socket")), Entry::Socket);
    }
    if machine.has(Feature::Mps) {
        tree.put("/tmp/nvidia-mps", Entry::Folder { mode: 0o777 });
        tree.text("/tmp/nvidia-mps/nvidia-cuda-mps-control.pid", "4711\n");
    }
    tree
}
