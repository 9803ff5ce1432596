//! The files of a Tegra board, and the CSV files that list them.

use std::path::{Path, PathBuf};

use super::Layout;
use crate::{
    driver::{ElfMachine, shared_object},
    machine::DriverVersion,
    tree::{Device, Entry, Tree},
};

const LISTS: &str = "/etc/nvidia-container-runtime/host-files-for-container.d";

/// One line of a board's table.
enum Row {
    /// A character device.
    Device(PathBuf, Device),
    /// A character device that no list names.
    Unlisted(PathBuf, Device),
    /// A library with this SONAME.
    Library(PathBuf, String),
    /// A link with this target.
    Link(PathBuf, String),
    /// A folder.
    Folder(PathBuf),
}

/// All files of the board: nodes, libraries, links, the lists of them, and what names the board.
pub(super) fn tegra(layout: Layout, version: &DriverVersion) -> Tree {
    let (table, release) = if layout == Layout::TegraThor {
        (include_str!("../../data/tegra-thor.list"), "R38 (release), REVISION: 2.0")
    } else {
        (include_str!("../../data/tegra-orin.list"), "R36 (release), REVISION: 4.0")
    };
    let table = table.replace("{V}", &version.to_string());
    let rows: Vec<Row> = table.lines().filter(|line| !line.starts_with('#')).filter_map(row).collect();
    let mut tree = Tree::new();
    rows.iter().for_each(|row| make(&mut tree, row));
    lists(&mut tree, &rows);
    tree.text("/etc/nv_tegra_release", format!("# {release}, BOARD: generic, EABI: aarch64\n"));
    tree.text("/sys/devices/soc0/family", "Tegra\n");
    tree
}

fn row(line: &str) -> Option<Row> {
    let words: Vec<&str> = line.split(' ').collect();
    match *words.as_slice() {
        ["dev", path, major, minor] => {
            Some(Row::Device(path.into(), Device::open_to_all(major.parse().ok()?, minor.parse().ok()?)))
        }
        ["node", path, major, minor] => {
            Some(Row::Unlisted(path.into(), Device::open_to_all(major.parse().ok()?, minor.parse().ok()?)))
        }
        ["lib", path, soname] => Some(Row::Library(path.into(), soname.into())),
        ["sym", path, target] => Some(Row::Link(path.into(), target.into())),
        ["dir", path] => Some(Row::Folder(path.into())),
        _ => None,
    }
}

fn make(tree: &mut Tree, row: &Row) {
    match row {
        Row::Device(path, device) | Row::Unlisted(path, device) => tree.device(path, *device),
        Row::Library(path, soname) => {
            tree.put(path, Entry::file(shared_object(ElfMachine::X86_64, Some(soname)), 0o644));
        }
        Row::Link(path, target) => tree.link(path, target),
        Row::Folder(path) => {
            tree.folder(path);
            tree.text(path.join("README"), "stand-in\n");
        }
    }
}

fn lists(tree: &mut Tree, rows: &[Row]) {
    let line = |kind: &str, path: &Path| format!("{kind}, {}\n", path.display());
    let [mut devices, mut drivers, mut l4t] = [const { String::new() }; 3];
    for row in rows {
        match row {
            Row::Device(path, _) => devices += &line("dev", path),
            Row::Library(path, _) => drivers += &line("lib", path),
            Row::Link(path, _) => drivers += &line("sym", path),
            Row::Unlisted(..) => {}
            Row::Folder(path) => l4t += &line("dir", path),
        }
    }
    tree.text(format!("{LISTS}/devices.csv"), devices);
    tree.text(format!("{LISTS}/drivers.csv"), drivers);
    tree.text(format!("{LISTS}/l4t.csv"), l4t);
}
