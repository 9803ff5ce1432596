//! The nodes, folders and links of /dev that every Linux node has.

use crate::tree::{Device, Entry, Tree};

/// /dev without a driver.
pub(super) fn nodes() -> Tree {
    let mut tree = Tree::new();
    tree.folder("/dev");
    for (name, device) in table() {
        tree.device(format!("/dev/{name}"), device);
    }
    tree.folder("/dev/pts");
    tree.folder("/dev/mqueue");
    tree.put("/dev/shm", Entry::Folder { mode: 0o1777 });
    tree.link("/dev/fd", "/proc/self/fd");
    for (number, name) in ["stdin", "stdout", "stderr"].into_iter().enumerate() {
        tree.link(format!("/dev/{name}"), format!("/proc/self/fd/{number}"));
    }
    tree
}

fn table() -> impl Iterator<Item = (&'static str, Device)> {
    let lines = include_str!("../../data/standard-nodes.list").lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| {
        let mut words = line.split(' ');
        let name = words.next()?;
        let (major, minor) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
        let mode = u32::from_str_radix(words.next()?, 8).ok()?;
        Some((name, Device { major, minor, mode, group: 0 }))
    })
}
