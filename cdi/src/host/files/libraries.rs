//! The driver's libraries of one version, the folders that hold them and the links that stand beside them.

use std::{
    fs::File,
    os::unix::fs::FileExt as _,
    path::{Path, PathBuf},
};

use nix::fcntl::OFlag;

use super::{
    super::{
        options::{Options, Want},
        place::{Notes, Place},
        snapshot::{FoundFile, Link},
    },
    folders::{self, Folder},
    links,
    version::Version,
};
use crate::{
    elf,
    root::{Entry, Kind},
};

/// Compilers of the driver whose version is not the driver's.
const NVVM70: &[u8] = b"libnvidia-nvvm70.so.";

/// Libraries of a driver for which distributions have others of the same name.
const EXPLICIT: &[&[u8]] = &[
    b"libEGL.so",
    b"libGL.so",
    b"libGLESv1_CM.so",
    b"libGLESv2.so",
    b"libGLX.so",
    b"libGLdispatch.so",
    b"libOpenCL.so",
    b"libOpenGL.so",
    b"libnvidia-api.so",
    b"libnvidia-egl-xcb.so",
    b"libnvidia-egl-xlib.so",
];

/// Libraries and what belongs to them.
#[derive(Debug, Default)]
pub(super) struct Libraries {
    /// Folders that hold libraries of the version.
    pub(super) folders: Vec<PathBuf>,
    pub(super) files: Vec<FoundFile>,
    pub(super) links: Vec<Link>,
}

/// The driver's libraries in `folders`.
pub(super) fn observe(
    place: &Place,
    folders: &[Folder],
    version: &Version,
    options: &Options,
    notes: &mut Notes,
) -> Libraries {
    let mut found = Libraries::default();
    let native = native_machine();
    for folder in folders {
        let of_driver = versioned(place, folder, version, (native, &mut found), notes);
        // Elsewhere these are another vendor's.
        if of_driver && options.wants(Want::ExplicitLibraries) {
            let explicit = |name: &[u8]| EXPLICIT.iter().any(|library| is_form_of(name, library));
            add(place, folder, explicit, (native, &mut found), notes);
        }
    }
    if options.wants(Want::Libraries32) {
        for folder in folders::scan_32(place, notes) {
            versioned(place, &folder, version, (Some(elf::MACHINE_386), &mut found), notes);
        }
    }
    found
}

pub(super) fn native_machine() -> Option<u16> {
    match std::env::consts::ARCH {
        "x86_64" => Some(elf::MACHINE_X86_64),
        "aarch64" => Some(elf::MACHINE_AARCH64),
        _ => None,
    }
}

/// Adds the libraries of `version` and what belongs to them; says whether `folder` has some.
fn versioned(
    place: &Place,
    folder: &Folder,
    version: &Version,
    (machine, found): (Option<u16>, &mut Libraries),
    notes: &mut Notes,
) -> bool {
    let suffix = version.suffix();
    let before = found.files.len();
    let of_version = |name: &[u8]| name.starts_with(b"lib") && name.ends_with(&suffix);
    add(place, folder, of_version, (machine, found), notes);
    if found.files.len() == before {
        return false;
    }
    if !found.folders.contains(&folder.path) {
        found.folders.push(folder.path.clone());
    }
    add(place, folder, |name| name.starts_with(NVVM70), (machine, found), notes);
    let vdpau = folder.path.join("vdpau");
    if let Some(vdpau) =
        notes.unless_missing(place.root.resolve(&vdpau).and_then(|path| folders::one(place, path)))
    {
        add(place, &vdpau, |name| name.ends_with(&suffix), (machine, found), notes);
    }
    true
}

/// Adds the libraries of `folder` whose names are `wanted`.
pub(super) fn add(
    place: &Place,
    folder: &Folder,
    wanted: impl Fn(&[u8]) -> bool,
    (machine, found): (Option<u16>, &mut Libraries),
    notes: &mut Notes,
) {
    for entry in folder.entries.iter().filter(|entry| wanted(entry.name.as_encoded_bytes())) {
        let Some(path) = regular(place, folder, entry, notes) else { continue };
        let library = match look(place, &path) {
            Ok(library) => library,
            Err(why) => {
                notes.leave(place.host_path(&path).display(), why);
                continue;
            }
        };
        let foreign =
            library.as_ref().is_some_and(|library| machine.is_some_and(|wants| wants != library.machine));
        if !foreign {
            let soname = library.and_then(|library| library.soname);
            found.links.extend(links::of_library(folder, &path, soname.as_deref()));
            found.files.push(place.found(&path, path.clone()));
        }
    }
}

/// Where the regular file lies that the entry is or leads to.
fn regular(place: &Place, folder: &Folder, entry: &Entry, notes: &mut Notes) -> Option<PathBuf> {
    let path = folder.path.join(&entry.name);
    match entry.kind {
        Kind::File => Some(path),
        Kind::Folder | Kind::CharacterDevice => None,
        Kind::Link | Kind::Other => {
            let resolved = place.root.resolve(&path).and_then(|path| Ok((place.root.metadata(&path)?, path)));
            match resolved {
                Ok((facts, path)) => facts.is_file().then_some(path),
                Err(error) => {
                    let why =
                        format!("leads to nothing that can be used ({error}); install the driver again");
                    notes.leave(place.host_path(&path).display(), why);
                    None
                }
            }
        }
    }
}

/// What the library says of itself; `None` for a file that is no ELF file.
fn look(place: &Place, path: &Path) -> Result<Option<elf::Library>, String> {
    let opened = place.root.open(path, OFlag::O_RDONLY | OFlag::O_NOFOLLOW | OFlag::O_NONBLOCK);
    let file = File::from(opened.map_err(|error| error.to_string())?);
    match elf::read(|buffer, offset| file.read_at(buffer, offset)) {
        Ok(library) => Ok(Some(library)),
        Err(elf::ElfError::NotElf) => Ok(None),
        Err(error) => Err(error.to_string()),
    }
}

/// The links that the library `path` needs, met in `folder`.
pub(in crate::host) fn links_of(place: &Place, folder: &Folder, path: &Path) -> Vec<Link> {
    let library = look(place, path).ok().flatten();
    links::of_library(folder, path, library.and_then(|library| library.soname).as_deref())
}

/// Whether `name` is `library` or a version of it: `libGL.so`, `libGL.so.1`.
fn is_form_of(name: &[u8], library: &[u8]) -> bool {
    name.strip_prefix(library).is_some_and(|rest| rest.first().is_none_or(|byte| *byte == b'.'))
}
