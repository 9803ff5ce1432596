//! `/etc/ld.so.cache` of layouts whose libraries lie in no folder that the loader looks in by itself.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

use berth_cdi::ldcache::{self, Architecture, Library};

use super::Layout;
use crate::tree::{Entry, Tree};

/// Folders that `layout` adds to the loader's: those of 64-bit and of 32-bit libraries.
fn folders(layout: Layout) -> &'static [(&'static str, Architecture)] {
    match layout {
        Layout::Rpm => &[("/usr/lib64", Architecture::X86_64), ("/usr/lib", Architecture::X86)],
        Layout::LdcacheOnly => {
            &[("/var/lib/nvidia/lib64", Architecture::X86_64), ("/var/lib/nvidia/lib", Architecture::X86)]
        }
        Layout::Wsl => &[("/usr/lib/wsl/lib", Architecture::X86_64)],
        // The board's libraries here are of this machine's processor, so that its programs can load them.
        Layout::TegraOrin | Layout::TegraThor => {
            &[("/usr/lib/aarch64-linux-gnu/nvidia", Architecture::X86_64)]
        }
        Layout::Debian | Layout::SplitRoots | Layout::DriverContainer => &[],
    }
}

/// The loader's configuration of `layout`.
pub(super) fn configuration(layout: Layout) -> Tree {
    let mut tree = Tree::new();
    let lines: String = folders(layout).iter().map(|(folder, _)| format!("{folder}\n")).collect();
    if !lines.is_empty() {
        tree.text("/etc/ld.so.conf.d/nvidia.conf", lines);
    }
    tree
}

/// Adds to `tree` the cache that `ldconfig` writes from its libraries; nothing for a layout without one.
pub fn add(tree: &mut Tree, layout: Layout) {
    let libraries: Vec<Library> = folders(layout)
        .iter()
        .flat_map(|(folder, architecture)| libraries(tree, Path::new(folder), *architecture))
        .collect();
    if !libraries.is_empty() {
        tree.put("/etc/ld.so.cache", Entry::file(ldcache::write(libraries), 0o644));
    }
}

/// What `ldconfig` finds in `folder`: each name that a program can ask for.
fn libraries(tree: &Tree, folder: &Path, architecture: Architecture) -> Vec<Library> {
    let inside = || tree.iter().filter(|(path, _)| path.parent() == Some(folder));
    // A file that a link in its folder leads to is listed by its SONAME, which is the link's name.
    let linked: BTreeSet<&Path> = inside().filter_map(|(_, entry)| target(entry)).collect();
    let names =
        inside().filter(|(path, _)| path.file_name().is_some_and(|name| !linked.contains(Path::new(name))));
    let links = inside().filter(|(_, entry)| target(entry).is_some());
    let paths: BTreeSet<&Path> = names.chain(links).map(|(path, _)| path).collect();
    paths.into_iter().filter_map(|path| library(path, architecture)).collect()
}

fn target(entry: &Entry) -> Option<&Path> {
    if let Entry::Link { target } = entry { Some(target) } else { None }
}

fn library(path: &Path, architecture: Architecture) -> Option<Library> {
    let name = path.file_name()?.to_str()?;
    let (_, number) = name.strip_prefix("lib")?.split_once(".so")?;
    let soname = number.is_empty() || number.starts_with('.');
    let flags = architecture.flags();
    soname.then(|| Library { name: name.into(), path: PathBuf::from(path), flags, hwcaps: None })
}
