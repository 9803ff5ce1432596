//! Programs of the driver.

use std::{
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
};

use super::super::{
    place::{Notes, Place},
    snapshot::FoundFile,
};

/// Programs that every container gets.
pub(super) const DRIVER: &[&str] = &[
    "nvidia-smi",
    "nvidia-debugdump",
    "nvidia-persistenced",
    "nvidia-cuda-mps-control",
    "nvidia-cuda-mps-server",
    "nvidia-imex",
    "nvidia-imex-ctl",
];

/// Programs for graphics.
pub(super) const GRAPHICS: &[&str] = &["nvidia-xconfig"];

/// Searched after the folders of `PATH`.
const USUAL: [&str; 6] = ["/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin"];

const EXECUTABLE: u32 = 0o111;

/// Each of `names` in the first folder that has it as an executable file.
pub(super) fn observe(place: &Place, path: &[PathBuf], names: &[&str], notes: &mut Notes) -> Vec<FoundFile> {
    let mut folders: Vec<PathBuf> = Vec::new();
    for folder in path.iter().map(PathBuf::as_path).chain(USUAL.map(Path::new)) {
        let resolved = notes.unless_missing(place.root.resolve(place.inside(folder)));
        folders.extend(resolved.filter(|folder| !folders.contains(folder)));
    }
    names.iter().filter_map(|name| first(place, &folders, name)).collect()
}

fn first(place: &Place, folders: &[PathBuf], name: &str) -> Option<FoundFile> {
    folders.iter().map(|folder| folder.join(name)).find_map(|path| {
        let facts = place.root.metadata(&path).ok()?;
        let executable = facts.is_file() && facts.permissions().mode() & EXECUTABLE != 0;
        executable
            .then(|| place.root.resolve(&path).ok())
            .flatten()
            .map(|resolved| place.found(&resolved, path))
    })
}
