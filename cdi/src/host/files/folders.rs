//! The folders in which the driver's libraries may lie, each listed once.

use std::path::{Path, PathBuf};

use super::{
    super::{
        options::or_usual,
        place::{Notes, Place},
    },
    links::GBM,
    version,
};
use crate::{
    ldcache::{self, Architecture},
    root::{Entry, RootError},
};

/// Known folders of 64-bit libraries, in the order of search: distributions', and that of Tegra boards whose driver is
/// the one of servers.
const KNOWN: &[&str] = &[
    "/",
    "/usr/lib64",
    "/usr/lib/x86_64-linux-gnu",
    "/usr/lib/aarch64-linux-gnu",
    "/usr/lib/x86_64-linux-gnu/nvidia/current",
    "/usr/lib/aarch64-linux-gnu/nvidia/current",
    "/usr/lib/aarch64-linux-gnu/nvidia",
    "/lib64",
    "/lib/x86_64-linux-gnu",
    "/lib/aarch64-linux-gnu",
    "/lib/x86_64-linux-gnu/nvidia/current",
    "/lib/aarch64-linux-gnu/nvidia/current",
];

/// Known folders of 32-bit libraries: Debian's, Arch's and those of RPM systems.
const KNOWN_32: &[&str] = &[
    "/usr/lib/i386-linux-gnu",
    "/usr/lib/i386-linux-gnu/nvidia/current",
    "/usr/lib32",
    "/usr/lib",
    "/lib/i386-linux-gnu",
    "/lib",
];

/// The loader's cache, and what no cache exceeds.
const CACHE: &str = "/etc/ld.so.cache";
const CACHE_LIMIT: usize = 64 << 20;

/// A folder of libraries, its path without links.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::host) struct Folder {
    pub(in crate::host) path: PathBuf,
    /// Names that contain `.so`, sorted.
    pub(in crate::host) entries: Vec<Entry>,
    /// Whether libgbm finds NVIDIA's backend below it.
    pub(in crate::host) gbm: bool,
}

impl Folder {
    /// Whether something has this name.
    pub(super) fn has(&self, name: &[u8]) -> bool {
        self.entries.binary_search_by(|entry| entry.name.as_encoded_bytes().cmp(name)).is_ok()
    }
}

/// The folders of 64-bit libraries: those of `given`, else the known ones, and where no driver is in these
/// also those that the loader's cache names.
pub(in crate::host) fn scan(place: &Place, given: &[PathBuf], notes: &mut Notes) -> Vec<Folder> {
    let wanted = or_usual(given, KNOWN).into_iter().map(|path| place.inside(path));
    let mut folders = Vec::new();
    list(place, wanted, &mut folders, notes);
    if given.is_empty() && !folders.iter().any(tells_version) {
        let named = named_by_cache(place, notes);
        list(place, named.iter().map(PathBuf::as_path), &mut folders, notes);
    }
    folders
}

/// The folders of 32-bit libraries.
pub(super) fn scan_32(place: &Place, notes: &mut Notes) -> Vec<Folder> {
    let mut folders = Vec::new();
    list(place, KNOWN_32.iter().map(Path::new), &mut folders, notes);
    folders
}

fn tells_version(folder: &Folder) -> bool {
    folder.entries.iter().any(|entry| version::of_file(entry.name.as_encoded_bytes()).is_some())
}

fn list<'a>(
    place: &Place,
    paths: impl Iterator<Item = &'a Path>,
    folders: &mut Vec<Folder>,
    notes: &mut Notes,
) {
    for path in paths {
        let resolved = notes.unless_missing(place.root.resolve(path));
        if let Some(path) = resolved.filter(|path| folders.iter().all(|folder| folder.path != *path)) {
            folders.extend(notes.unless_missing(one(place, path)));
        }
    }
}

/// The folder `path`, which holds no link.
pub(in crate::host) fn one(place: &Place, path: PathBuf) -> Result<Folder, RootError> {
    let entries = place.root.read_dir_where(&path, is_library_name)?;
    let gbm = place.root.resolve(&path.join(GBM)).is_ok();
    Ok(Folder { path, entries, gbm })
}

fn is_library_name(name: &[u8]) -> bool {
    name.windows(3).any(|part| part == b".so")
}

fn named_by_cache(place: &Place, notes: &mut Notes) -> Vec<PathBuf> {
    let Some(bytes) = notes.unless_missing(place.root.read(Path::new(CACHE), CACHE_LIMIT)) else {
        return Vec::new();
    };
    let entries = ldcache::parse(&bytes).unwrap_or_else(|error| {
        notes.leave(place.root.on_disk(Path::new(CACHE)).display(), error.to_string());
        Vec::new()
    });
    let native = Architecture::native();
    let driver = entries.iter().filter(|entry| {
        native.is_some_and(|native| entry.is_for(native))
            && matches!(&*entry.name, b"libcuda.so.1" | b"libnvidia-ml.so.1")
    });
    driver
        .filter_map(|entry| place.root.resolve(&entry.path).ok())
        .filter_map(|library| library.parent().map(Path::to_path_buf))
        .collect()
}

/// NVML's library, links followed: by its name, else by that of a version.
pub(in crate::host) fn nvml_library(place: &Place, folders: &[Folder]) -> Option<PathBuf> {
    let by_name = folders.iter().filter(|folder| folder.has(b"libnvidia-ml.so.1"));
    let named = by_name.map(|folder| folder.path.join("libnvidia-ml.so.1"));
    let versioned = folders.iter().flat_map(|folder| {
        let names = folder.entries.iter().rev().map(|entry| &entry.name);
        let names = names.filter(|name| name.as_encoded_bytes().starts_with(b"libnvidia-ml.so."));
        names.map(|name| folder.path.join(name))
    });
    let candidates = named.chain(versioned);
    candidates
        .filter_map(|path| place.root.resolve(&path).ok())
        .find(|path| place.root.metadata(path).is_ok_and(|facts| facts.is_file()))
}
