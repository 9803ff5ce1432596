//! Branches of the driver that the distribution has packages of.

use std::{path::PathBuf, str::FromStr};

use berth_packages::{Cache, FetchError, preset::Preset};

use crate::machine::DriverVersion;

/// A branch of the driver.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Branch {
    /// 535.
    R535,
    /// 550.
    R550,
}

/// A name that is no branch.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "driver {0:?} is not one of 535, 550, stand-in, stand-in:VERSION or a folder (with a slash in its name)"
)]
pub struct UnknownBranch(String);

impl FromStr for Branch {
    type Err = UnknownBranch;

    fn from_str(name: &str) -> Result<Self, UnknownBranch> {
        match name {
            "535" => Ok(Self::R535),
            "550" => Ok(Self::R550),
            _ => Err(UnknownBranch(name.into())),
        }
    }
}

impl Branch {
    /// The driver's files, unpacked in the cache; fetched if they are not there yet, which takes a minute.
    ///
    /// # Errors
    /// [`FetchError`], for example without a network.
    pub fn unpacked(self, cache: &Cache) -> Result<PathBuf, FetchError> {
        match self {
            Self::R535 => Preset::Driver535.fetch(cache),
            Self::R550 => Preset::Driver550.fetch(cache),
        }
    }

    /// The version that stand-ins for this branch have: one that its packages had.
    ///
    /// # Errors
    /// Never for the branches there are.
    pub fn stand_in(self) -> Result<DriverVersion, crate::machine::DriverVersionError> {
        match self {
            Self::R535 => "535.261.03".parse(),
            Self::R550 => Ok(DriverVersion::stand_in()),
        }
    }
}
