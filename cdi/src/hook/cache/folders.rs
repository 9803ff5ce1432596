//! Which folders hold a container's libraries, in the order in which they are searched.

use std::{
    collections::BTreeSet,
    ffi::OsStr,
    os::unix::ffi::OsStrExt as _,
    path::{Component, Path, PathBuf},
};

use super::{
    CONF,
    conf::{COMPAT_CONF, DRIVER_CONF, Line, lines},
    glob, system,
};
use crate::hook::{
    container::{Container, FileId, Kind, Named},
    log::Log,
};

/// Bytes of one file of folders; distributions' have about 100.
const MOST_CONF: usize = 256 << 10;
/// Files that are read, each once, however they include each other.
const MOST_CONFS: usize = 1_000;
/// Folders that are searched.
const MOST_FOLDERS: usize = 1_000;
const HWCAPS: &str = "glibc-hwcaps";

/// Why a folder is searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    /// The image's CUDA libraries.
    Compat,
    /// The hook's arguments; the container does not list it.
    Driver { also_listed: bool },
    /// The container lists it.
    Image,
}

/// A folder of libraries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Folder {
    pub(super) path: PathBuf,
    pub(super) id: FileId,
    pub(super) origin: Origin,
    /// Its name below `glibc-hwcaps`.
    pub(super) hwcaps: Option<String>,
}

impl Folder {
    /// Whether the container lists it only because of the driver.
    pub(super) fn is_new(&self) -> bool {
        self.hwcaps.is_none() && self.origin == Origin::Driver { also_listed: false }
    }

    pub(super) fn is_drivers(&self) -> bool {
        matches!(self.origin, Origin::Driver { .. })
    }
}

/// The image's CUDA libraries, the driver's folders that the container does not list, then those that it does.
///
/// A driver's folder that the container lists keeps its place: moving it would change which of the image's own
/// libraries its programs find.
pub(super) fn listed(container: &Container, drivers: &[PathBuf], log: &mut Log) -> Vec<Folder> {
    let mut conf = Conf { container, log, read: BTreeSet::new(), folders: Vec::new() };
    conf.file(Path::new(COMPAT_CONF));
    let compat = std::mem::take(&mut conf.folders);
    // Ours, from an earlier run: what it names is in the arguments, or no longer wanted.
    conf.read.insert(DRIVER_CONF.into());
    conf.file(Path::new(CONF));
    let image = conf.folders;
    let own = existing(container, image.into_iter().chain(system::folders(container)));
    let drivers = existing(container, drivers.iter().cloned());
    let is_listed = |id: FileId| own.iter().any(|(_, other)| *other == id);
    let new = drivers.iter().filter(|(_, id)| !is_listed(*id)).cloned();
    let compat = existing(container, compat.into_iter());
    let place = |origin| move |(path, id)| (path, id, origin);
    let listed = own.iter().cloned().map(|(path, id)| {
        let drivers = drivers.iter().any(|(_, other)| *other == id);
        (path, id, if drivers { Origin::Driver { also_listed: true } } else { Origin::Image })
    });
    let all = compat.into_iter().map(place(Origin::Compat));
    let all = all.chain(new.map(place(Origin::Driver { also_listed: false }))).chain(listed);
    let mut seen = BTreeSet::new();
    let once = all.filter(|(_, id, _)| seen.insert(*id)).take(MOST_FOLDERS);
    once.flat_map(|(path, id, origin)| with_hwcaps(container, Folder { path, id, origin, hwcaps: None }))
        .collect()
}

fn existing(container: &Container, paths: impl Iterator<Item = PathBuf>) -> Vec<(PathBuf, FileId)> {
    let mut seen = BTreeSet::new();
    let found = paths.filter_map(|path| container.folder(&path).ok().map(|(_, id)| (path, id)));
    found.filter(|(_, id)| seen.insert(*id)).take(MOST_FOLDERS).collect()
}

/// The folder, and the ones for newer processors below it.
fn with_hwcaps(container: &Container, folder: Folder) -> Vec<Folder> {
    let (below, origin) = (folder.path.join(HWCAPS), folder.origin);
    let named = container.list(&below, |_| true).map(|(named, _)| named).unwrap_or_default();
    let mut folders = vec![folder];
    let is_folder = |named: &Named| matches!(named.kind, Kind::Folder | Kind::Link);
    for named in named.into_iter().filter(is_folder).take(MOST_FOLDERS) {
        let path = below.join(&named.name);
        if let (Ok(hwcaps), Ok((_, id))) = (named.name.into_string(), container.folder(&path)) {
            folders.push(Folder { path, id, origin, hwcaps: Some(hwcaps) });
        }
    }
    folders
}

struct Conf<'a> {
    container: &'a Container,
    log: &'a mut Log,
    read: BTreeSet<PathBuf>,
    folders: Vec<PathBuf>,
}

impl Conf<'_> {
    /// Reads a file and what it includes, each once: a loop ends where it began.
    fn file(&mut self, first: &Path) {
        let mut ahead = vec![Line::Include(first.into())];
        while let Some(line) = ahead.pop() {
            match line {
                Line::Folder(path) if self.folders.len() < MOST_FOLDERS => self.folders.push(path),
                Line::Folder(_) => {}
                Line::Include(pattern) => {
                    let files = expand(self.container, &pattern);
                    for file in files.iter().rev() {
                        ahead.extend(self.lines(file).into_iter().rev());
                    }
                }
            }
        }
    }

    fn lines(&mut self, file: &Path) -> Vec<Line> {
        if self.read.len() >= MOST_CONFS || !self.read.insert(file.into()) {
            return Vec::new();
        }
        match self.container.read(file, MOST_CONF) {
            Ok(bytes) => lines(&bytes, file.parent().unwrap_or_else(|| Path::new("/"))),
            Err(error) => {
                if !error.is_missing() {
                    self.log.note(&error);
                }
                Vec::new()
            }
        }
    }
}

/// The files of a pattern, sorted, [`MOST_CONFS`] at most.
fn expand(container: &Container, pattern: &Path) -> Vec<PathBuf> {
    let mut found = vec![PathBuf::from("/")];
    for step in pattern.components() {
        let name = match step {
            Component::Normal(name) => name,
            Component::ParentDir => OsStr::new(".."),
            Component::RootDir | Component::CurDir | Component::Prefix(_) => continue,
        };
        if glob::is_pattern(name.as_bytes()) {
            let below = |folder: PathBuf| {
                let names = container.list(&folder, |found| glob::matches(name.as_bytes(), found));
                let names = names.map(|(names, _)| names).unwrap_or_default();
                names.into_iter().map(move |named| folder.join(named.name))
            };
            found = found.into_iter().flat_map(below).take(MOST_CONFS).collect();
        } else {
            found.iter_mut().for_each(|path| path.push(name));
        }
    }
    found
}
