//! What there is to mount, and to mount upon.
#![expect(clippy::disallowed_methods, reason = "lists folders")]

use std::{
    fs,
    path::{Path, PathBuf},
};

use super::plan::{Host, Temporary};

/// Folders below /sys that a node may have files in; /sys/bus/pci is replaced, not laid over.
const SYS: [&str; 4] = ["/sys/class", "/sys/devices", "/sys/kernel/iommu_groups", "/sys/module"];
const DEV: [&str; 3] = ["/dev/pts", "/dev/shm", "/dev/mqueue"];

/// Looks at `root` and at the machine.
pub(super) fn host(root: &Path) -> Host {
    let present = |paths: &[&str]| -> Vec<PathBuf> {
        paths.iter().map(PathBuf::from).filter(|path| path.is_dir()).collect()
    };
    let in_root = |path: &Path| path.strip_prefix("/").is_ok_and(|below| root.join(below).is_dir());
    let folders = entries(root).into_iter().filter(|entry| entry.folder);
    let folders = folders.filter_map(|entry| entry.name.into_string().ok());
    Host {
        folders: folders.filter(|name| Path::new("/").join(name).is_dir()).collect(),
        sys: present(&SYS).into_iter().filter(|path| in_root(path)).collect(),
        var: !root.starts_with("/var"),
        tmp: entries(&root.join("tmp")),
        machine_tmp: entries(Path::new("/tmp")),
        nvml: root.join(".berth-node/nvml").is_dir(),
        dev: present(&DEV),
    }
}

/// The files and folders in `folder`, sorted; links are left out, as is what cannot be read.
fn entries(folder: &Path) -> Vec<Temporary> {
    let listed = fs::read_dir(folder).into_iter().flatten().flatten();
    let kinds = listed.filter_map(|entry| Some((entry.file_name(), entry.file_type().ok()?)));
    let mut found: Vec<Temporary> = kinds
        .filter(|(_, kind)| !kind.is_symlink())
        .map(|(name, kind)| Temporary { name, folder: kind.is_dir() })
        .collect();
    found.sort_by(|one, other| one.name.cmp(&other.name));
    found
}
