//! Firmware of the GPU's system processor (GSP), of the running driver: `gsp*.bin`, and `ucodes*.bin` of newer ones.

use std::path::{Path, PathBuf};

use super::{
    super::{
        place::{Notes, Place},
        snapshot::FoundFile,
    },
    version::Version,
};
use crate::root::Root;

/// An extra folder that the kernel was told (`firmware_class.path`), on the host whatever the driver root.
const CUSTOM: &str = "/sys/module/firmware_class/parameters/path";
const CUSTOM_LIMIT: usize = 4096;

/// The firmware of `version`, in each of the kernel's folders: it takes each file from the first that has it.
pub(super) fn observe(
    (host, place): (&Root, &Place),
    version: &Version,
    release: &str,
    notes: &mut Notes,
) -> Vec<FoundFile> {
    let mut found = Vec::new();
    for base in custom(host, notes).into_iter().chain(usual(release)) {
        let folder = base.join("nvidia").join(version.as_str());
        let Some(resolved) = notes.unless_missing(place.root.resolve(&folder)) else { continue };
        let is_firmware = |name: &[u8]| {
            (name.starts_with(b"gsp") || name.starts_with(b"ucodes")) && name.ends_with(b".bin")
        };
        let entries =
            notes.unless_missing(place.root.read_dir_where(&resolved, is_firmware)).unwrap_or_default();
        found.extend(entries.iter().filter_map(|entry| {
            let file = place.root.resolve(&resolved.join(&entry.name)).ok()?;
            let is_file = place.root.metadata(&file).is_ok_and(|facts| facts.is_file());
            is_file.then(|| place.found(&file, folder.join(&entry.name)))
        }));
    }
    found
}

fn custom(host: &Root, notes: &mut Notes) -> Option<PathBuf> {
    let text = notes.unless_missing(host.read(Path::new(CUSTOM), CUSTOM_LIMIT))?;
    let path = PathBuf::from(str::from_utf8(&text).ok()?.trim());
    path.is_absolute().then_some(path)
}

fn usual(release: &str) -> Vec<PathBuf> {
    let firmware = Path::new("/lib/firmware");
    let updates = firmware.join("updates");
    vec![updates.join(release), updates, firmware.join(release), firmware.into()]
}
