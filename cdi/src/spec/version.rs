//! Versions of CDI, and the lowest one that a document needs.
//!
//! A runtime refuses a file whose version it does not know, and one whose content is newer than its version:
//! so the lowest version that the content needs is the one that most runtimes read.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use super::{ContainerEdits, Spec};

/// A released version of CDI.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Version {
    /// 0.1.0.
    V0_1_0,
    /// 0.2.0.
    V0_2_0,
    /// 0.3.0: the oldest that is ever needed.
    V0_3_0,
    /// 0.4.0: types of mounts.
    V0_4_0,
    /// 0.5.0: names that start with a digit, host paths of device nodes.
    V0_5_0,
    /// 0.6.0: annotations, dots in a class. The newest that Kata's Go runtime reads.
    V0_6_0,
    /// 0.7.0: additional groups, Intel RDT. podman up to 4.9 does not read it.
    V0_7_0,
    /// 0.8.0: no new content.
    V0_8_0,
    /// 1.0.0: no new content.
    V1_0_0,
    /// 1.1.0: network devices, more of Intel RDT.
    V1_1_0,
}

const NAMES: [(Version, &str); 10] = [
    (Version::V0_1_0, "0.1.0"),
    (Version::V0_2_0, "0.2.0"),
    (Version::V0_3_0, "0.3.0"),
    (Version::V0_4_0, "0.4.0"),
    (Version::V0_5_0, "0.5.0"),
    (Version::V0_6_0, "0.6.0"),
    (Version::V0_7_0, "0.7.0"),
    (Version::V0_8_0, "0.8.0"),
    (Version::V1_0_0, "1.0.0"),
    (Version::V1_1_0, "1.1.0"),
];

/// Why a string is no [`Version`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("cdi version {0:?} is not known, wants one of 0.1.0 to 0.8.0, 1.0.0 and 1.1.0")]
pub struct VersionError(String);

impl FromStr for Version {
    type Err = VersionError;

    fn from_str(text: &str) -> Result<Self, VersionError> {
        // Runtimes take a leading "v", too.
        let plain = text.strip_prefix('v').unwrap_or(text);
        let found = NAMES.iter().find(|(_, name)| *name == plain);
        found.map(|(version, _)| *version).ok_or_else(|| VersionError(text.into()))
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = NAMES.iter().find(|(version, _)| version == self).map_or("", |(_, name)| name);
        f.write_str(name)
    }
}

impl From<Version> for String {
    fn from(version: Version) -> Self {
        version.to_string()
    }
}

impl TryFrom<String> for Version {
    type Error = VersionError;

    fn try_from(text: String) -> Result<Self, VersionError> {
        text.parse()
    }
}

/// The lowest version whose readers understand all of `spec`, whatever version it states.
#[must_use]
pub fn required_version(spec: &Spec) -> Version {
    let edits = spec.all_edits().map(required_by_edits).max();
    let digits = spec.devices.iter().any(|device| device.name.starts_with_digit());
    let annotated =
        !spec.annotations.is_empty() || spec.devices.iter().any(|device| !device.annotations.is_empty());
    [
        Version::V0_3_0,
        edits.unwrap_or(Version::V0_3_0),
        when(digits, Version::V0_5_0),
        when(annotated || spec.kind.class().contains('.'), Version::V0_6_0),
    ]
    .into_iter()
    .fold(Version::V0_3_0, Version::max)
}

fn required_by_edits(edits: &ContainerEdits) -> Version {
    let newer_rdt =
        edits.intel_rdt.as_ref().is_some_and(|rdt| !rdt.schemata.is_empty() || rdt.enable_monitoring);
    [
        when(edits.mounts.iter().any(|mount| mount.kind.is_some()), Version::V0_4_0),
        when(edits.device_nodes.iter().any(|node| node.host_path.is_some()), Version::V0_5_0),
        when(!edits.additional_gids.is_empty() || edits.intel_rdt.is_some(), Version::V0_7_0),
        when(!edits.net_devices.is_empty() || newer_rdt, Version::V1_1_0),
    ]
    .into_iter()
    .fold(Version::V0_3_0, Version::max)
}

fn when(needed: bool, version: Version) -> Version {
    if needed { version } else { Version::V0_3_0 }
}
