//! Graphics libraries whose versions are their own.

use super::{
    super::place::{Notes, Place},
    folders::Folder,
    libraries::{self, Libraries},
    links,
    version::Version,
};

/// Libraries with versions of their own, of two or more groups.
const OWN_VERSION: &[&[u8]] = &[
    b"libnvidia-egl-gbm.so.",
    b"libnvidia-egl-wayland.so.",
    b"libnvidia-egl-wayland2.so.",
    b"libnvidia-egl-xcb.so.",
    b"libnvidia-egl-xlib.so.",
];

/// Libraries of the driver's version: already among the driver's libraries, in most cases.
const DRIVER_VERSION: &[&[u8]] = &[b"libnvidia-allocator.so.", b"libnvidia-vulkan-producer.so."];

/// The graphics libraries in `folders`.
pub(super) fn observe(place: &Place, folders: &[Folder], version: &Version, notes: &mut Notes) -> Libraries {
    let mut found = Libraries::default();
    let wanted = |name: &[u8]| {
        let rest = |prefixes: &[&[u8]]| {
            prefixes.iter().find_map(|prefix| name.strip_prefix(*prefix)).map(<[u8]>::to_vec)
        };
        rest(OWN_VERSION).is_some_and(|rest| is_version(&rest))
            || rest(DRIVER_VERSION).is_some_and(|rest| rest == version.as_str().as_bytes())
    };
    for folder in folders {
        libraries::add(place, folder, wanted, (None, &mut found), notes);
    }
    let links = found.files.iter().flat_map(|file| links::for_graphics(folders, &file.container));
    found.links.extend(links.collect::<Vec<_>>());
    found
}

fn is_version(text: &[u8]) -> bool {
    str::from_utf8(text).ok().and_then(Version::parse).is_some()
}
