//! Which folders tell that the node changed.
//!
//! inotify sees folders that exist. For one that doesn't, the nearest folder above it is watched, for the name that
//! leads to it; once that appears, the places are worked out anew.

use std::{
    collections::BTreeSet,
    ffi::OsString,
    path::{Path, PathBuf},
};

use crate::spec::Format;

/// A folder to watch, and what in it counts.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The folder, as this process sees it.
    pub folder: PathBuf,
    /// Which of its entries count.
    pub names: Names,
    /// What of them counts.
    pub changes: Changes,
}

/// What of an entry counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Changes {
    /// That it comes, goes, or changes its owner or mode: for device nodes and sockets. Every program that closes a
    /// device node has "written" to it, a generation included.
    Entries,
    /// That it is written, too: for files.
    Contents,
}

/// Which entries of a folder count.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Names {
    /// Every one.
    All,
    /// Those that begin so.
    Prefix(String),
    /// This one alone: the way to a folder that doesn't exist yet.
    Exactly(OsString),
    /// Spec files, but for this one: what its own writer does to it is no news to that.
    SpecsBut(OsString),
}

impl Names {
    /// Whether the entry `name` counts.
    #[must_use]
    pub fn count(&self, name: &Path) -> bool {
        match self {
            Self::All => true,
            Self::Prefix(prefix) => name.to_string_lossy().starts_with(prefix.as_str()),
            Self::Exactly(wanted) => name.as_os_str() == wanted,
            Self::SpecsBut(own) => Format::of(name).is_some() && name.as_os_str() != own,
        }
    }
}

/// What is wanted of a host, below the host root: folder, and names in it (`""` for all).
const HOST: [(&str, &str); 7] = [
    ("dev", "nvidia"),
    ("dev/nvidia-caps", ""),
    ("dev/nvidia-caps-imex-channels", ""),
    ("dev/dri", ""),
    ("run/nvidia-persistenced", ""),
    ("run/nvidia-fabricmanager", ""),
    ("tmp", "nvidia-mps"),
];

/// The places that concern a node's GPUs: device nodes, sockets, and `library_dirs` (the folders that hold the
/// driver's libraries, as this process sees them), where an upgrade shows.
#[must_use]
pub fn wanted(host_root: &Path, dev_root: &Path, library_dirs: &[PathBuf]) -> Vec<Place> {
    let of_host = HOST.iter().map(|(folder, prefix)| {
        let root = if folder.starts_with("dev") { dev_root } else { host_root };
        Place { folder: root.join(folder), names: names(prefix), changes: Changes::Entries }
    });
    let of_driver = library_dirs.iter().map(|folder| Place {
        folder: folder.clone(),
        names: Names::Prefix("lib".into()),
        changes: Changes::Contents,
    });
    of_host.chain(of_driver).collect()
}

/// The place where other programs' specs appear beside `own`.
#[must_use]
pub fn specs(folder: &Path, own: &Path) -> Place {
    let names = Names::SpecsBut(own.file_name().unwrap_or_default().into());
    Place { folder: folder.into(), names, changes: Changes::Contents }
}

fn names(prefix: &str) -> Names {
    if prefix.is_empty() { Names::All } else { Names::Prefix(prefix.into()) }
}

/// The places that can be watched now for those `wanted`; `exists` tells whether a folder does.
#[must_use]
pub fn watchable(wanted: &[Place], exists: impl Fn(&Path) -> bool) -> BTreeSet<Place> {
    wanted.iter().filter_map(|place| nearest(place, &exists)).collect()
}

fn nearest(place: &Place, exists: &impl Fn(&Path) -> bool) -> Option<Place> {
    if exists(&place.folder) {
        return Some(place.clone());
    }
    let below = place.folder.ancestors().zip(place.folder.ancestors().skip(1));
    let (way, folder) = below.into_iter().find(|(_, folder)| exists(folder))?;
    let names = Names::Exactly(way.file_name()?.into());
    Some(Place { folder: folder.into(), names, changes: Changes::Entries })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(folder: &str, names: Names) -> Place {
        Place { folder: folder.into(), names, changes: Changes::Entries }
    }

    #[test]
    fn a_folder_that_is_missing_is_awaited_in_the_nearest_one_above() {
        let wanted =
            [place("/r/run/nvidia/driver", Names::All), place("/r/dev", Names::Prefix("nvidia".into()))];
        let exists = |path: &Path| ["/r", "/r/dev", "/r/run"].contains(&path.to_str().expect("utf-8"));
        let awaited = place("/r/run", Names::Exactly("nvidia".into()));
        assert_eq!(watchable(&wanted, exists), BTreeSet::from([awaited, wanted[1].clone()]));
    }

    #[test]
    fn without_any_folder_there_is_nothing_to_watch() {
        assert!(watchable(&[place("/r/dev", Names::All)], |_| false).is_empty());
    }

    #[test]
    fn only_names_that_count_do() {
        let nvidia = Names::Prefix("nvidia".into());
        assert!(nvidia.count(Path::new("nvidia0")) && !nvidia.count(Path::new("sda")));
        let others = specs(Path::new("/etc/cdi"), Path::new("/etc/cdi/own.yaml")).names;
        assert!(others.count(Path::new("peer.json")) && !others.count(Path::new("own.yaml")));
        assert!(!others.count(Path::new(".own.yaml.berth-new")));
        assert!(!Names::Exactly("dri".into()).count(Path::new("dri2")) && Names::All.count(Path::new("x")));
    }

    #[test]
    fn device_nodes_are_sought_below_the_dev_root_and_sockets_below_the_host_root() {
        let wanted = wanted(Path::new("/h"), Path::new("/h/d"), &["/h/usr/lib64".into()]);
        let folders: Vec<_> = wanted.iter().map(|place| place.folder.to_str().expect("utf-8")).collect();
        assert_eq!(folders[0], "/h/d/dev");
        assert!(folders.contains(&"/h/run/nvidia-persistenced") && folders.contains(&"/h/usr/lib64"));
    }
}
