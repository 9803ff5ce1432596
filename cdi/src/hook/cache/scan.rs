//! Looking at the libraries of a folder: descriptors and a few bytes of each file, each file once.

use std::{
    collections::HashMap,
    ffi::{OsStr, OsString},
    os::{
        fd::OwnedFd,
        unix::{ffi::OsStringExt as _, fs::FileExt as _},
    },
    path::Path,
};

use super::choose::Seen;
use crate::{
    elf::{self, Class, MACHINE_386, MACHINE_AARCH64, MACHINE_X86_64},
    hook::container::{Container, ContainerError, FileId, Kind, Named},
    ldcache::Architecture,
};

/// Names looked at in all folders; full desktops have about 5,000.
const MOST: usize = 50_000;
/// Links from neighbour to neighbour; distributions have two.
const MOST_LINKS: u32 = 8;
/// `FLAG_X8664_LIBX32` with `FLAG_ELF_LIBC6`.
const X32: u32 = 0x0803;

/// What a library says of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Facts {
    /// As in the cache.
    pub(super) flags: u32,
    /// Its own name, if it has one.
    pub(super) soname: Option<String>,
}

/// A library and which file it is, if a name stands for one.
type Found = Option<(FileId, Facts)>;

/// The state over all folders of a container.
#[derive(Debug)]
pub(super) struct Scan<'a> {
    container: &'a Container,
    known: HashMap<FileId, Option<Facts>>,
    names: usize,
}

impl<'a> Scan<'a> {
    pub(super) fn new(container: &'a Container) -> Self {
        Self { container, known: HashMap::new(), names: 0 }
    }

    /// The libraries of a folder under all their names there.
    ///
    /// # Errors
    /// [`ContainerError`] when it cannot be read, or [`MOST`] names have been seen.
    pub(super) fn folder(&mut self, path: &Path) -> Result<Vec<Seen>, ContainerError> {
        let (named, _) = self.container.list(path, is_candidate)?;
        self.names = self.names.saturating_add(named.len());
        if self.names > MOST {
            return Err(ContainerError::TooMany { path: path.into(), limit: MOST });
        }
        let (folder, _) = self.container.folder(path)?;
        let (mut files, mut links) = (HashMap::new(), HashMap::new());
        for Named { name, kind } in named {
            match kind {
                Kind::File => drop(files.insert(name.clone(), self.file(&folder, &name))),
                Kind::Link => drop(links.insert(name.clone(), self.container.link_text(&folder, &name))),
                Kind::Folder | Kind::Other => {}
            }
        }
        let led = links.keys().map(|name| (name.clone(), self.link(path, name, &files, &links)));
        let led: Vec<_> = led.collect();
        let seen = |is_link| move |(name, library)| Seen { name: OsString::into_vec(name), is_link, library };
        Ok(files.into_iter().map(seen(false)).chain(led.into_iter().map(seen(true))).collect())
    }

    /// Most links lead to a neighbour, which has been looked at; the kernel follows the others.
    fn link(
        &mut self,
        folder: &Path,
        name: &OsStr,
        files: &HashMap<OsString, Found>,
        links: &HashMap<OsString, Option<OsString>>,
    ) -> Found {
        let mut at = name;
        for _step in 0..MOST_LINKS {
            match (files.get(at), links.get(at)) {
                (Some(found), _) => return found.clone(),
                (None, Some(Some(text))) => at = text,
                (None, _) => break,
            }
        }
        let path = folder.join(name);
        let (place, id) = self.container.regular(&path).ok()?;
        self.look(&place, id, &path)
    }

    fn file(&mut self, folder: &OwnedFd, name: &OsStr) -> Found {
        let (place, id) = self.container.regular_in(folder, name).ok()?;
        self.look(&place, id, Path::new(name))
    }

    fn look(&mut self, place: &OwnedFd, id: FileId, path: &Path) -> Found {
        if let Some(known) = self.known.get(&id) {
            return known.clone().map(|facts| (id, facts));
        }
        let file = self.container.reopen(place, path).ok()?;
        let facts = elf::read(|buffer, offset| file.read_at(buffer, offset)).ok().and_then(facts);
        self.known.insert(id, facts.clone());
        facts.map(|facts| (id, facts))
    }
}

/// `lib*.so*` and `ld-*.so*`, without what package managers leave while they work.
fn is_candidate(name: &[u8]) -> bool {
    let begins = name.starts_with(b"lib") || name.starts_with(b"ld-");
    let is_library = begins && name.windows(3).any(|part| part == b".so");
    let prelink = name.windows(10).any(|part| part == b".#prelink#");
    let half_done = name.contains(&b';') || name.ends_with(b".dpkg-new") || name.ends_with(b".dpkg-tmp");
    is_library && !prelink && !half_done
}

fn facts(library: elf::Library) -> Option<Facts> {
    let flags = flags(library.class, library.machine, Architecture::native()?)?;
    library.shared.then_some(Facts { flags, soname: library.soname })
}

/// Flags of a library that programs on this processor may load.
fn flags(class: Class, machine: u16, native: Architecture) -> Option<u32> {
    match (native, class, machine) {
        (Architecture::X86_64, Class::Bits64, MACHINE_X86_64)
        | (Architecture::Aarch64, Class::Bits64, MACHINE_AARCH64)
        | (Architecture::X86, Class::Bits32, MACHINE_386) => Some(native.flags()),
        (Architecture::X86_64, Class::Bits32, MACHINE_386) => Some(Architecture::X86.flags()),
        (Architecture::X86_64, Class::Bits32, MACHINE_X86_64) => Some(X32),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_libraries_are_told_from_others() {
        for (name, wanted) in [
            ("libcuda.so.1", true),
            ("libcuda.so", true),
            ("ld-linux-x86-64.so.2", true),
            ("libcuda.a", false),
            ("cuda.so", false),
            ("libc.so.6.#prelink#", false),
            ("libc.so.6.#prelink#.a1b2c3", false),
            ("libc.so.6;5f3a", false),
            ("libc.so.6.dpkg-new", false),
        ] {
            assert_eq!(is_candidate(name.as_bytes()), wanted, "{name}");
        }
    }
}
