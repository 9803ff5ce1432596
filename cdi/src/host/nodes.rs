//! Device nodes: each was seen, and is a character device.

use std::{
    collections::BTreeMap,
    fs::Metadata,
    os::unix::fs::{FileTypeExt as _, MetadataExt as _},
    path::{Path, PathBuf},
};

use nix::sys::stat::{major, minor};

use super::{
    options::Want,
    place::{Notes, Place},
    snapshot::NodeFacts,
    sysfs::is_numbered,
};

/// Nodes by their path in a container.
pub(super) type Nodes = BTreeMap<PathBuf, NodeFacts>;

/// Permission bits of a mode.
const PERMISSIONS: u32 = 0o7777;

/// Nodes of one folder.
struct Family {
    folder: &'static str,
    has: fn(&[u8]) -> bool,
}

const DRIVER: Family =
    Family { folder: "/dev", has: |name| is_numbered(name, b"nvidia") || is_control(name) };
const ALL: Family = Family { folder: "/dev", has: |name| name.starts_with(b"nvidia") };
const CAPABILITIES: Family =
    Family { folder: "/dev/nvidia-caps", has: |name| is_numbered(name, b"nvidia-cap") };
const IMEX: Family =
    Family { folder: "/dev/nvidia-caps-imex-channels", has: |name| is_numbered(name, b"channel") };
const STORAGE: Family = Family { folder: "/dev", has: |name| name.starts_with(b"nvidia-fs") };
const MOFED: Family =
    Family { folder: "/dev/infiniband", has: |name| name == b"rdma_cm" || name.starts_with(b"uverbs") };
const NVSWITCH: Family = Family { folder: "/dev", has: |name| name.starts_with(b"nvidia-nvswitch") };
const GDRCOPY: Family = Family { folder: "/dev", has: |name| name == b"gdrdrv" };
const WSL: Family = Family { folder: "/dev", has: |name| name == b"dxg" };

fn is_control(name: &[u8]) -> bool {
    matches!(name, b"nvidiactl" | b"nvidia-uvm" | b"nvidia-uvm-tools" | b"nvidia-modeset")
}

fn families(want: Want) -> &'static [Family] {
    match want {
        Want::Inventory | Want::WholeGpus => &[DRIVER],
        Want::AllNodes => &[ALL, CAPABILITIES, IMEX],
        Want::Imex => &[IMEX],
        Want::Storage => &[STORAGE],
        Want::Mofed => &[MOFED],
        Want::NvSwitch => &[NVSWITCH],
        Want::Gdrcopy => &[GDRCOPY],
        Want::Wsl => &[WSL],
        Want::Platform
        | Want::Machine
        | Want::Driver
        | Want::Graphics
        | Want::ExplicitLibraries
        | Want::Libraries32
        | Want::Tegra => &[],
    }
}

/// Adds the nodes that belong to `want`.
pub(super) fn of(dev: &Place, want: Want, nodes: &mut Nodes, notes: &mut Notes) {
    for family in families(want) {
        add(dev, family, nodes, notes);
    }
}

/// Adds the nodes of all MIG capabilities.
pub(super) fn of_capabilities(dev: &Place, nodes: &mut Nodes, notes: &mut Notes) {
    add(dev, &CAPABILITIES, nodes, notes);
}

fn add(dev: &Place, family: &Family, nodes: &mut Nodes, notes: &mut Notes) {
    let folder = Path::new(family.folder);
    let entries = notes.unless_missing(dev.root.read_dir_where(folder, family.has)).unwrap_or_default();
    for entry in entries.iter().filter(|entry| entry.kind != crate::root::Kind::Folder) {
        one(dev, &folder.join(&entry.name), nodes, notes);
    }
}

/// Adds the node at `path`; says whether it is there.
pub(super) fn one(dev: &Place, path: &Path, nodes: &mut Nodes, notes: &mut Notes) -> bool {
    let Some(facts) = notes.unless_missing(dev.root.metadata(path)) else { return false };
    if !facts.file_type().is_char_device() {
        notes.leave(
            dev.host_path(path).display(),
            "is no character device; remove it and let the driver make it",
        );
        return false;
    }
    nodes.insert(path.to_path_buf(), node(dev.host_path(path), &facts));
    true
}

fn node(host: PathBuf, facts: &Metadata) -> NodeFacts {
    // Linux gives a major 12 and a minor 20 bits.
    let number = |part: u64| u32::try_from(part).unwrap_or(u32::MAX);
    NodeFacts {
        host,
        major: number(major(facts.rdev())),
        minor: number(minor(facts.rdev())),
        mode: facts.mode() & PERMISSIONS,
        uid: facts.uid(),
        gid: facts.gid(),
    }
}
