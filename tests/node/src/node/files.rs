//! Where a node gets the driver's files from.
#![expect(clippy::disallowed_methods, reason = "follows the links of a path")]

use std::{
    fs,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use crate::{
    driver::{
        packages::{self, PackagesError},
        stand_in,
    },
    machine::DriverVersion,
    plan::DriverFiles,
};

/// Where the driver's files are to come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DriverSource {
    /// Small files of our own with the names of the real ones, of this version.
    StandIn(DriverVersion),
    /// Packages of the distribution, unpacked in this folder.
    Unpacked(PathBuf),
}

impl Default for DriverSource {
    fn default() -> Self {
        Self::StandIn(DriverVersion::stand_in())
    }
}

/// The driver's files of one version, found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Located {
    /// Their version.
    pub version: DriverVersion,
    /// The folder of the unpacked packages; `None` for stand-ins.
    pub unpacked: Option<PathBuf>,
}

/// The driver's files could not be had.
#[derive(Debug, thiserror::Error)]
pub enum FilesError {
    /// Unpacked packages could not be used.
    #[error(transparent)]
    Packages(#[from] PackagesError),
}

/// Which version `source` has.
pub(super) fn locate(source: &DriverSource) -> Result<Located, FilesError> {
    match source {
        DriverSource::StandIn(version) => Ok(Located { version: version.clone(), unpacked: None }),
        DriverSource::Unpacked(folder) => {
            let version = packages::version(&packages::files(folder)?, folder)?;
            Ok(Located { version, unpacked: Some(whole(folder)) })
        }
    }
}

/// `path` as it is found from any folder; unchanged if it is not there, which shows when it is used.
pub(super) fn whole(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_absent| path.to_path_buf())
}

/// The driver's files of `version`, with the 32-bit ones if `narrow`.
pub(super) fn read(
    version: &DriverVersion,
    source: Option<&Located>,
    narrow: bool,
    nvml: Option<&Path>,
) -> Result<DriverFiles, FilesError> {
    let mut files = match source.and_then(|source| source.unpacked.as_deref()) {
        Some(folder) => packages::files(folder)?,
        None => stand_in::files(version),
    };
    if narrow {
        files.extend(stand_in::compat32(version));
    }
    Ok(DriverFiles { version: version.clone(), files, nvml: nvml.map(Path::to_path_buf) })
}
