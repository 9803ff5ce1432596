//! Configuration and data of the driver: found in several folders of the host, mounted where containers look.

use std::path::{Path, PathBuf};

use super::super::{
    options::{Search, or_usual},
    place::{Notes, Place},
    snapshot::FoundFile,
};

/// Files below a data folder of the host; in a container below `/usr/share`.
const SHARED: [&str; 9] = [
    "glvnd/egl_vendor.d/10_nvidia.json",
    "egl/egl_external_platform.d/15_nvidia_gbm.json",
    "egl/egl_external_platform.d/10_nvidia_wayland.json",
    "egl/egl_external_platform.d/09_nvidia_wayland2.json",
    "egl/egl_external_platform.d/20_nvidia_xcb.json",
    "egl/egl_external_platform.d/20_nvidia_xlib.json",
    "nvidia/nvoptix.bin",
    "X11/xorg.conf.d/10-nvidia.conf",
    "X11/xorg.conf.d/nvidia-drm-outputclass.conf",
];

/// Files that a container gets below `/etc`.
const SETTINGS: [&str; 5] = [
    "OpenCL/vendors/nvidia.icd",
    "vulkan/icd.d/nvidia_icd.json",
    "vulkan/icd.d/nvidia_layers.json",
    "vulkan/implicit_layer.d/nvidia_layers.json",
    #[cfg(target_arch = "aarch64")]
    "vulkan/icd.d/nvidia_icd.aarch64.json",
    #[cfg(not(target_arch = "aarch64"))]
    "vulkan/icd.d/nvidia_icd.x86_64.json",
];

/// Without `XDG_DATA_DIRS`.
const DATA: &[&str] = &["/usr/local/share", "/usr/share"];

/// The configuration below the driver root: for each file the first folder that has it.
pub(super) fn observe(place: &Place, search: &Search, notes: &mut Notes) -> Vec<FoundFile> {
    let usual = || [Path::new("/etc")].into_iter().chain(or_usual(&search.data, DATA));
    let given = search.configs.iter().map(|path| place.inside(path));
    let wanted: Vec<_> = if search.configs.is_empty() { usual().collect() } else { given.collect() };
    let folders = resolve(place, wanted.iter().copied(), notes);
    // Container-optimised systems keep Vulkan's files at the top of the driver root.
    let vulkan_folders = resolve(place, wanted.iter().copied().chain([Path::new("/")]), notes);
    let shared = SHARED.map(|file| (file, "/usr/share", &folders));
    let settings = SETTINGS
        .map(|file| (file, "/etc", if file.starts_with("vulkan/") { &vulkan_folders } else { &folders }));
    let all = shared.into_iter().chain(settings);
    all.filter_map(|(file, container, folders)| {
        let resolved = first(place, folders, file)?;
        Some(place.found(&resolved, Path::new(container).join(file)))
    })
    .collect()
}

fn resolve<'a>(place: &Place, folders: impl Iterator<Item = &'a Path>, notes: &mut Notes) -> Vec<PathBuf> {
    folders.filter_map(|folder| notes.unless_missing(place.root.resolve(folder))).collect()
}

fn first(place: &Place, folders: &[PathBuf], file: &str) -> Option<PathBuf> {
    let candidates = folders.iter().filter_map(|folder| place.root.resolve(&folder.join(file)).ok());
    candidates.into_iter().find(|path| place.root.metadata(path).is_ok_and(|facts| facts.is_file()))
}
