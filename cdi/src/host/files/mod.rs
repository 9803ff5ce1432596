//! Finds the driver's user land below the driver root.
//!
//! Each folder is listed once, whatever is looked for in it; each path that is given out was seen to exist, with its
//! links followed inside the driver root alone. Known folders come first; only where they hold no driver does the
//! loader's cache say where it lies.

mod binaries;
mod configs;
mod firmware;
mod folders;
mod graphics;
mod libraries;
mod links;
mod sockets;
mod version;
mod xorg;

use super::{
    options::{Options, Want},
    place::{Notes, Place},
    snapshot::{DriverFiles, FoundFile},
};
use crate::root::Root;

pub(super) use folders::{Folder, nvml_library, one as list_folder, scan};
pub(super) use libraries::links_of;
pub(super) use version::{Choice, Version, choose};

/// Files of the driver `version` whose libraries lie in `folders`.
pub(super) fn observe(
    (host, driver): (&Root, &Place),
    folders: &[Folder],
    version: &Version,
    options: &Options,
    notes: &mut Notes,
) -> DriverFiles {
    let mut files = DriverFiles::default();
    if options.wants(Want::Driver) {
        let libraries = libraries::observe(driver, folders, version, options, notes);
        files.library_dirs = libraries.folders;
        files.libraries = libraries.files;
        files.links = libraries.links;
        files.binaries = binaries::observe(driver, &options.search.programs, binaries::DRIVER, notes);
        files.firmware = firmware::observe((host, driver), version, &options.kernel_release, notes);
        files.sockets = sockets::observe(host, driver, notes);
    }
    if options.wants(Want::Graphics) {
        graphics(driver, folders, version, options, (&mut files, notes));
    }
    settle(&mut files);
    files
}

fn graphics(
    driver: &Place,
    folders: &[Folder],
    version: &Version,
    options: &Options,
    (files, notes): (&mut DriverFiles, &mut Notes),
) {
    let libraries = graphics::observe(driver, folders, version, notes);
    files.graphics = libraries.files;
    files.links.extend(libraries.links);
    let modules = xorg::observe(driver, &files.library_dirs, version, notes);
    files.modules = modules.files;
    files.links.extend(modules.links);
    files.configs = configs::observe(driver, &options.search, notes);
    files.binaries.extend(binaries::observe(driver, &options.search.programs, binaries::GRAPHICS, notes));
}

/// Each list of files sorted by container path, without repeats; a graphics library that stands among the libraries goes.
fn settle(files: &mut DriverFiles) {
    for list in [&mut files.libraries, &mut files.binaries, &mut files.configs, &mut files.firmware] {
        sort(list);
    }
    sort(&mut files.sockets);
    files.graphics.retain(|file| !files.libraries.iter().any(|library| library.container == file.container));
    sort(&mut files.graphics);
    sort(&mut files.modules);
    // A link can't take the place of a file that is mounted.
    let mounted = [&files.libraries, &files.graphics, &files.modules];
    files.links.retain(|link| mounted.iter().all(|list| list.iter().all(|file| file.container != link.link)));
    files.links.sort_unstable_by(|a, b| a.link.cmp(&b.link));
    files.links.dedup_by(|later, first| later.link == first.link);
}

fn sort(list: &mut Vec<FoundFile>) {
    list.sort_unstable_by(|a, b| a.container.cmp(&b.container));
    list.dedup_by(|later, first| later.container == first.container);
}

#[cfg(test)]
mod tests;
