//! Puts the driver's files where a layout has them.

use std::path::{Path, PathBuf};

use super::{Layout, cache, tegra::tegra, wsl::wsl};
use crate::{
    driver::{DriverFile, Places, alternatives, flat},
    machine::DriverVersion,
    tree::{Entry, Tree},
};

const RPM: Places = Places { lib: "/usr/lib64", lib32: "/usr/lib", bin: "/usr/bin" };
const MULTIARCH: Places =
    Places { lib: "/usr/lib/x86_64-linux-gnu", lib32: "/usr/lib/i386-linux-gnu", bin: "/usr/bin" };
const HIDDEN: Places =
    Places { lib: "/var/lib/nvidia/lib64", lib32: "/var/lib/nvidia/lib", bin: "/var/lib/nvidia/bin" };

/// The driver's `files` in `layout`; `version` names the ones that alternatives point to.
#[must_use]
pub fn userland(layout: Layout, files: &[DriverFile], version: &DriverVersion) -> Tree {
    let mut tree = match layout {
        Layout::Debian => debian(files, version),
        Layout::Rpm => side_by_side(files, RPM),
        Layout::SplitRoots | Layout::DriverContainer => {
            let mut root = side_by_side(files, MULTIARCH);
            root.merge(merged_usr());
            root.below(layout.driver_root())
        }
        Layout::LdcacheOnly => side_by_side(files, HIDDEN),
        Layout::TegraOrin | Layout::TegraThor => tegra(layout, version),
        Layout::Wsl => wsl(version),
    };
    tree.merge(cache::configuration(layout));
    tree
}

/// The folder in which `layout` has `libnvidia-ml.so.<version>`; `None` where there is no NVML.
#[must_use]
pub fn library_folder(layout: Layout) -> Option<PathBuf> {
    let folder = match layout {
        Layout::Debian => "/usr/lib/x86_64-linux-gnu/nvidia/current",
        Layout::Rpm => RPM.lib,
        Layout::SplitRoots | Layout::DriverContainer => MULTIARCH.lib,
        Layout::LdcacheOnly => HIDDEN.lib,
        Layout::TegraThor => "/usr/lib/aarch64-linux-gnu/nvidia",
        Layout::Wsl => "/usr/lib/wsl/lib",
        Layout::TegraOrin => return None,
    };
    Some(layout.driver_root().join(folder.trim_start_matches('/')))
}

fn debian(files: &[DriverFile], version: &DriverVersion) -> Tree {
    let mut tree = Tree::new();
    for file in files {
        tree.put(&file.path, file.entry.clone());
    }
    alternatives::link(&mut tree, version);
    tree
}

fn side_by_side(files: &[DriverFile], places: Places) -> Tree {
    let mut tree = Tree::new();
    for placed in files.iter().filter_map(|file| flat(file, places)) {
        tree.put(placed.path, placed.entry);
    }
    tree
}

/// The links of a root whose /bin, /lib, /lib64 and /sbin are those of /usr.
#[must_use]
pub(crate) fn merged_usr() -> Tree {
    let mut tree = Tree::new();
    for name in ["bin", "lib", "lib64", "sbin"] {
        tree.put(Path::new("/usr").join(name), Entry::Folder { mode: 0o755 });
        tree.link(Path::new("/").join(name), Path::new("usr").join(name));
    }
    tree
}
