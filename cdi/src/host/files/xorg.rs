//! Modules of the X server.

use std::path::{Path, PathBuf};

use super::{
    super::{
        place::{Notes, Place},
        snapshot::Link,
    },
    libraries::Libraries,
    version::Version,
};

/// Folders below a folder of libraries.
const BELOW_LIBRARIES: [&str; 5] = [
    "nvidia/xorg",
    "xorg/modules/drivers",
    "xorg/modules/extensions",
    "xorg/modules/updates/drivers",
    "xorg/modules/updates/extensions",
];

/// Folders elsewhere.
const ELSEWHERE: [&str; 12] = [
    "/usr/lib/xorg/modules/drivers",
    "/usr/lib/xorg/modules/extensions",
    "/usr/lib/xorg/modules/updates/drivers",
    "/usr/lib/xorg/modules/updates/extensions",
    "/usr/lib64/xorg/modules/drivers",
    "/usr/lib64/xorg/modules/extensions",
    "/usr/lib64/xorg/modules/updates/drivers",
    "/usr/lib64/xorg/modules/updates/extensions",
    "/usr/X11R6/lib/modules/drivers",
    "/usr/X11R6/lib/modules/extensions",
    "/usr/X11R6/lib/modules/updates/drivers",
    "/usr/X11R6/lib/modules/updates/extensions",
];

/// The driver and the GLX module of the X server: for each the first folder that has it.
pub(super) fn observe(
    place: &Place,
    library_dirs: &[PathBuf],
    version: &Version,
    notes: &mut Notes,
) -> Libraries {
    let mut found = Libraries::default();
    let beside = library_dirs.iter().flat_map(|folder| BELOW_LIBRARIES.map(|below| folder.join(below)));
    let folders: Vec<_> = beside
        .chain(ELSEWHERE.map(PathBuf::from))
        .filter_map(|folder| notes.unless_missing(place.root.resolve(&folder)))
        .collect();
    if let Some((path, resolved)) = first(place, &folders, "nvidia_drv.so") {
        found.files.push(place.found(&resolved, path));
    }
    glx(place, &folders, version, &mut found);
    found
}

/// The module under its versioned name and the plain name that the server loads; or, where the plain name leads to
/// another folder (Debian's alternatives), the file at the plain name.
fn glx(place: &Place, folders: &[PathBuf], version: &Version, found: &mut Libraries) {
    let (plain, versioned) = ("libglxserver_nvidia.so", format!("libglxserver_nvidia.so.{version}"));
    if let Some((path, resolved)) = first(place, folders, &versioned) {
        found.links.push(Link { target: versioned, link: path.with_file_name(plain) });
        found.files.push(place.found(&resolved, path));
    } else if let Some((path, resolved)) = first(place, folders, plain)
        && resolved.file_name().is_some_and(|name| *name == *versioned)
    {
        found.files.push(place.found(&resolved, path));
    }
}

fn first(place: &Place, folders: &[PathBuf], name: &str) -> Option<(PathBuf, PathBuf)> {
    folders.iter().map(|folder| folder.join(name)).find_map(|path| {
        let resolved = place.root.resolve(&path).ok()?;
        is_file(place, &resolved).then_some((path, resolved))
    })
}

fn is_file(place: &Place, path: &Path) -> bool {
    place.root.metadata(path).is_ok_and(|facts| facts.is_file())
}
