//! Driver versions.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

/// A driver version of two or three numbers: `550.163.01`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct DriverVersion(String);

/// Why a text is no [`DriverVersion`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("driver version {0:?} is not of the form 550.163.01")]
pub struct DriverVersionError(String);

impl DriverVersion {
    /// The version that stand-in trees have if none is asked for.
    #[must_use]
    pub fn stand_in() -> Self {
        Self("550.163.01".into())
    }

    /// The first number: 550.
    #[must_use]
    pub fn branch(&self) -> &str {
        self.0.split_once('.').map_or(self.0.as_str(), |(branch, _)| branch)
    }
}

impl FromStr for DriverVersion {
    type Err = DriverVersionError;

    fn from_str(text: &str) -> Result<Self, DriverVersionError> {
        let numbers = text.split('.').collect::<Vec<_>>();
        let number =
            |part: &&str| !part.is_empty() && part.len() < 6 && part.bytes().all(|b| b.is_ascii_digit());
        let well_formed = (2..=3).contains(&numbers.len()) && numbers.iter().all(number);
        well_formed.then(|| Self(text.into())).ok_or_else(|| DriverVersionError(text.into()))
    }
}

impl fmt::Display for DriverVersion {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl From<DriverVersion> for String {
    fn from(version: DriverVersion) -> Self {
        version.0
    }
}

impl TryFrom<String> for DriverVersion {
    type Error = DriverVersionError;

    fn try_from(text: String) -> Result<Self, DriverVersionError> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_numbers_and_nothing_that_could_leave_a_folder() {
        assert_eq!("535.261.03".parse::<DriverVersion>().expect("a version").branch(), "535");
        for text in ["", "550", "550.", "../550.1", "550.1.2.3", "550.x"] {
            text.parse::<DriverVersion>().expect_err(text);
        }
    }
}
