//! What the lists of a Tegra board name: devices, folders, libraries and links, each verified.
//!
//! A line that is none, and a path that does not exist, is left out and named; the others stay.

mod list;
mod pattern;

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use self::list::{Kind, Row};
use super::{
    files::{self, Folder},
    nodes::{self, Nodes},
    options::{Search, or_usual},
    place::{Notes, Place},
    snapshot::{FoundFile, Link, TegraFiles},
};

/// The lists of NVIDIA's board support packages.
const LISTS: &[&str] = &[
    "/etc/nvidia-container-runtime/host-files-for-container.d/devices.csv",
    "/etc/nvidia-container-runtime/host-files-for-container.d/drivers.csv",
    "/etc/nvidia-container-runtime/host-files-for-container.d/l4t.csv",
];
const LIST_LIMIT: usize = 4 << 20;
/// Which board support package is installed: containers look at it.
const RELEASE: &str = "/etc/nv_tegra_release";
/// Links in one chain, as in Linux.
const LONGEST_CHAIN: usize = 40;

/// What the lists name; devices are added to `nodes`.
pub(super) fn observe(
    (driver, dev): (&Place, &Place),
    search: &Search,
    nodes: &mut Nodes,
    notes: &mut Notes,
) -> TegraFiles {
    let mut board = Board {
        driver,
        dev,
        ignored: &search.tegra_ignored,
        folders: BTreeMap::new(),
        files: TegraFiles::default(),
    };
    for path in or_usual(&search.tegra_lists, LISTS) {
        let path = driver.inside(path);
        let Some(bytes) = notes.unless_missing(driver.root.read(path, LIST_LIMIT)) else { continue };
        let (rows, bad) = list::parse(&bytes);
        for line in bad {
            notes.leave(
                format_args!("{}:{}", driver.host_path(path).display(), line.number),
                line.to_string(),
            );
        }
        for row in &rows {
            board.add(row, nodes, notes);
        }
    }
    board.release();
    board.files
}

struct Board<'a> {
    driver: &'a Place,
    dev: &'a Place,
    ignored: &'a [String],
    /// Folders of libraries that were listed.
    folders: BTreeMap<PathBuf, Folder>,
    files: TegraFiles,
}

impl Board<'_> {
    fn add(&mut self, row: &Row, nodes: &mut Nodes, notes: &mut Notes) {
        if row.kind == Kind::Link && self.is_ignored(&row.path) {
            return;
        }
        let place = if row.kind == Kind::Device { self.dev } else { self.driver };
        let paths = notes.unless_missing(pattern::expand(&place.root, &row.path)).unwrap_or_default();
        let mut added = false;
        for path in paths {
            added |= match row.kind {
                Kind::Device => self.device(&path, nodes, notes),
                Kind::Folder => self.folder(&path),
                Kind::Library => self.library(&path),
                Kind::Link => self.link(&path),
            };
        }
        if !added {
            notes.leave(
                place.host_path(&row.path).display(),
                "is listed for containers, but is not there or of another kind",
            );
        }
    }

    /// A pattern is a path, or `**/` and a file name.
    fn is_ignored(&self, path: &Path) -> bool {
        let name = path.file_name().unwrap_or_default().as_encoded_bytes();
        self.ignored.iter().any(|ignored| match ignored.strip_prefix("**/") {
            Some(file) => pattern::matches(file.as_bytes(), name),
            None => pattern::matches(ignored.as_bytes(), path.as_os_str().as_encoded_bytes()),
        })
    }

    fn device(&mut self, path: &Path, nodes: &mut Nodes, notes: &mut Notes) -> bool {
        let found = nodes::one(self.dev, path, nodes, notes);
        if found && !self.files.nodes.iter().any(|known| known == path) {
            self.files.nodes.push(path.into());
        }
        found
    }

    fn folder(&mut self, path: &Path) -> bool {
        let Ok(resolved) = self.driver.root.resolve(path) else { return false };
        let found = self.driver.root.metadata(&resolved).is_ok_and(|facts| facts.is_dir());
        if found {
            put(&mut self.files.folders, self.driver.found(&resolved, path));
        }
        found
    }

    fn library(&mut self, path: &Path) -> bool {
        let Some(resolved) = self.regular(path) else { return false };
        self.name_links(&resolved);
        put(&mut self.files.libraries, self.driver.found(&resolved, resolved.clone()));
        true
    }

    fn name_links(&mut self, library: &Path) {
        let Some(parent) = library.parent() else { return };
        if !self.folders.contains_key(parent) {
            let Ok(folder) = files::list_folder(self.driver, parent.into()) else { return };
            self.folders.insert(parent.into(), folder);
        }
        let Some(folder) = self.folders.get(parent) else { return };
        for link in files::links_of(self.driver, folder, library) {
            put(&mut self.files.links, link);
        }
    }

    /// The file at the end of a chain of links, and each link of it.
    fn link(&mut self, path: &Path) -> bool {
        let Some(target) = self.regular(path) else { return false };
        let mut at = path.to_path_buf();
        for _link in 0..LONGEST_CHAIN {
            let Ok(Some(text)) = self.driver.root.read_link(&at) else { break };
            let next = at.parent().unwrap_or_else(|| Path::new("/")).join(&text);
            if let Some(target) = text.to_str() {
                put(&mut self.files.links, Link { target: target.into(), link: at });
            }
            at = next;
        }
        put(&mut self.files.link_targets, self.driver.found(&target, target.clone()));
        true
    }

    fn regular(&self, path: &Path) -> Option<PathBuf> {
        let resolved = self.driver.root.resolve(path).ok()?;
        self.driver.root.metadata(&resolved).is_ok_and(|facts| facts.is_file()).then_some(resolved)
    }

    fn release(&mut self) {
        if let Some(resolved) = self.regular(Path::new(RELEASE)) {
            put(&mut self.files.link_targets, self.driver.found(&resolved, RELEASE));
        }
    }
}

/// Adds what is not there yet; the lists name many things twice.
fn put<T: PartialEq + Keyed>(list: &mut Vec<T>, item: T) {
    if list.iter().all(|known| known.key() != item.key()) {
        list.push(item);
    }
}

/// A path that stands once in a list.
trait Keyed {
    fn key(&self) -> &Path;
}

impl Keyed for FoundFile {
    fn key(&self) -> &Path {
        &self.container
    }
}

impl Keyed for Link {
    fn key(&self) -> &Path {
        &self.link
    }
}

#[cfg(test)]
mod tests;
