//! Which file stands for a name in a folder, and which links are missing: pure, as `search_dir` and `create_links` of
//! glibc's elf/ldconfig.c decide it.

use std::{
    collections::{BTreeMap, BTreeSet},
    ffi::OsStr,
    os::unix::ffi::OsStrExt as _,
    path::PathBuf,
};

use super::{Place, folders::Folder, scan::Facts};
use crate::{
    hook::container::FileId,
    ldcache::{self, Library},
};

/// A name in a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Seen {
    pub(super) name: Vec<u8>,
    pub(super) is_link: bool,
    /// The library that it stands for, links followed; `None` when it is none.
    pub(super) library: Option<(FileId, Facts)>,
}

/// A link to be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct MissingLink {
    pub(super) path: PathBuf,
    pub(super) target: PathBuf,
}

/// What a folder gives to the cache.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Chosen {
    pub(super) libraries: Vec<Library>,
    pub(super) links: Vec<MissingLink>,
}

impl Chosen {
    /// The link could not be made: its entry names the file instead.
    pub(super) fn without(&mut self, link: &MissingLink) {
        let file = link.path.with_file_name(&link.target);
        for library in self.libraries.iter_mut().filter(|library| library.path == link.path) {
            library.path.clone_from(&file);
        }
    }
}

struct Candidate {
    file: Vec<u8>,
    is_link: bool,
    id: FileId,
    flags: u32,
}

/// Chooses among the names of a folder. Links are asked for in the driver's folders, never in place of `kept` ones.
pub(super) fn choose(folder: &Folder, seen: Vec<Seen>, kept: &BTreeSet<Place>) -> Chosen {
    let standing: BTreeMap<_, _> = seen.iter().map(|seen| (seen.name.clone(), seen.clone())).collect();
    let mut chosen = Chosen::default();
    for (name, candidate) in candidates(seen) {
        let at = |name: &[u8]| folder.path.join(OsStr::from_bytes(name));
        let is_kept = |name: &[u8]| kept.contains(&(folder.id, OsStr::from_bytes(name).to_owned()));
        let there = standing.get(&name);
        let same = there.and_then(|there| there.library.as_ref()).map(|(id, _)| *id == candidate.id);
        let replaceable = there.is_none_or(|there| there.is_link) && !is_kept(&name);
        let link = folder.hwcaps.is_none() && folder.is_drivers() && !candidate.is_link;
        let path = if folder.hwcaps.is_some() {
            at(&candidate.file)
        } else if same == Some(true) {
            at(&name)
        } else if link && replaceable {
            let target = OsStr::from_bytes(&candidate.file).into();
            chosen.links.push(MissingLink { path: at(&name), target });
            at(&name)
        } else if same.is_some() {
            at(&name)
        } else {
            at(&candidate.file)
        };
        let hwcaps = folder.hwcaps.clone();
        chosen.libraries.push(Library { name, path, flags: candidate.flags, hwcaps });
    }
    chosen
}

/// One file a name: a file before a link, the newer of two.
fn candidates(seen: Vec<Seen>) -> BTreeMap<Vec<u8>, Candidate> {
    let mut best: BTreeMap<Vec<u8>, Candidate> = BTreeMap::new();
    for Seen { name: file, is_link, library } in seen {
        let Some((id, facts)) = library else { continue };
        let soname = facts.soname.map_or_else(|| file.clone(), String::into_bytes);
        let is_link = is_link && is_plain_link(&file, &soname);
        let name = if is_link { file.clone() } else { soname };
        let candidate = Candidate { file, is_link, id, flags: facts.flags };
        match best.get_mut(&name) {
            Some(held) => {
                let newer = ldcache::compare(&held.file, &candidate.file).is_lt();
                if (!candidate.is_link && held.is_link) || (candidate.is_link == held.is_link && newer) {
                    *held = candidate;
                }
            }
            None => drop(best.insert(name, candidate)),
        }
    }
    best
}

/// Whether a link is the library's own name, or the one that compilers look for; another counts as a file.
fn is_plain_link(file: &[u8], soname: &[u8]) -> bool {
    file == soname || (file.ends_with(b".so") && soname.starts_with(file))
}
