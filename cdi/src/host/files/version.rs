//! Versions of the driver, as file names tell them.

use std::{cmp::Ordering, fmt};

use super::folders::Folder;

/// Such as `550.163.01`: two or more groups of digits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::host) struct Version(String);

/// Libraries whose names tell the version of the driver.
const TELLING: [&[u8]; 2] = [b"libcuda.so.", b"libnvidia-ml.so."];

impl Version {
    /// The version that `text` is.
    pub(in crate::host) fn parse(text: &str) -> Option<Self> {
        let is_group = |group: &str| !group.is_empty() && group.bytes().all(|byte| byte.is_ascii_digit());
        (text.contains('.') && text.split('.').all(is_group)).then(|| Self(text.to_owned()))
    }

    pub(in crate::host) fn as_str(&self) -> &str {
        &self.0
    }

    /// What a library's file name of this version ends in.
    pub(super) fn suffix(&self) -> Vec<u8> {
        [b".so.", self.0.as_bytes()].concat()
    }

    fn groups(&self) -> impl Iterator<Item = u64> {
        self.0.split('.').map(|group| group.parse().unwrap_or(u64::MAX))
    }
}

impl PartialOrd for Version {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Version {
    fn cmp(&self, other: &Self) -> Ordering {
        self.groups().cmp(other.groups()).then_with(|| self.0.cmp(&other.0))
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What the files of a host say about the driver's version.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::host) enum Choice {
    /// Files of this version are there, and it is the one that runs, as far as that is known.
    Version(Version),
    /// Files are there, none of the version that runs.
    Mismatch {
        /// That runs.
        running: Version,
        /// Of the files, the newest.
        files: Version,
    },
    /// No files of a driver.
    None,
}

/// The version to describe: the one that runs (NVML's or the kernel module's), else the newest.
pub(in crate::host) fn choose(folders: &[Folder], running: Option<&str>) -> Choice {
    let mut found = found(folders);
    let running = running.and_then(Version::parse);
    match (found.pop(), running) {
        (None, _) => Choice::None,
        (Some(newest), Some(running)) if newest != running && !found.contains(&running) => {
            Choice::Mismatch { running, files: newest }
        }
        (Some(_), Some(running)) => Choice::Version(running),
        (Some(newest), None) => Choice::Version(newest),
    }
}

/// Versions of the files, oldest first.
fn found(folders: &[Folder]) -> Vec<Version> {
    let names = folders.iter().flat_map(|folder| &folder.entries);
    let mut found: Vec<_> = names.filter_map(|entry| of_file(entry.name.as_encoded_bytes())).collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// The driver's version that a file name tells, if it is one that tells.
pub(super) fn of_file(name: &[u8]) -> Option<Version> {
    let text = TELLING.iter().find_map(|prefix| name.strip_prefix(*prefix))?;
    Version::parse(str::from_utf8(text).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::root::{Entry, Kind};

    fn folder(names: &[&str]) -> Vec<Folder> {
        let entry = |name: &&str| Entry { name: name.into(), kind: Kind::File };
        vec![Folder { path: "/lib".into(), entries: names.iter().map(entry).collect(), gbm: false }]
    }

    fn version(text: &str) -> Version {
        Version::parse(text).expect("a version")
    }

    #[test]
    fn the_version_that_runs_is_taken_among_left_overs() {
        let files = folder(&["libcuda.so.535.247.01", "libcuda.so.550.163.01", "libcuda.so.1", "libcuda.so"]);
        for (running, wanted) in [
            (Some("535.247.01"), Choice::Version(version("535.247.01"))),
            (None, Choice::Version(version("550.163.01"))),
            (
                Some("560.35.03"),
                Choice::Mismatch { running: version("560.35.03"), files: version("550.163.01") },
            ),
        ] {
            assert_eq!(choose(&files, running), wanted, "{running:?}");
        }
        assert_eq!(choose(&folder(&["libc.so.6"]), Some("535.247.01")), Choice::None);
    }

    #[test]
    fn versions_are_ordered_by_their_numbers() {
        assert!(version("550.54") < version("550.163.01"));
        assert!(version("99.9") < version("550.1"));
        for text in ["550", "550.", "550.x", "", "../1.2"] {
            assert_eq!(Version::parse(text), None, "{text:?}");
        }
    }
}
