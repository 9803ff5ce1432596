//! Names of devices within a kind: `0`, `all`, `GPU-8e0cc3a4-...`, `1:0`.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

/// A device's name: letters or digits at both ends, and `_`, `-`, `.` and `:` between.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct DeviceName(String);

/// Why a string is no [`DeviceName`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "device name {0:?} wants a letter or digit at both ends, and letters, digits, '_', '-', '.' or ':' between"
)]
pub struct DeviceNameError(String);

impl DeviceName {
    /// The name as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether the first character is no letter: read by runtimes since CDI 0.5.0 alone.
    pub(super) fn starts_with_digit(&self) -> bool {
        self.0.starts_with(|first: char| first.is_ascii_digit())
    }
}

impl FromStr for DeviceName {
    type Err = DeviceNameError;

    fn from_str(text: &str) -> Result<Self, DeviceNameError> {
        let bytes = text.as_bytes();
        let at_ends = [bytes.first(), bytes.last()];
        let well = at_ends.iter().all(|end| end.is_some_and(u8::is_ascii_alphanumeric))
            && bytes.iter().all(|byte| byte.is_ascii_alphanumeric() || b"_-.:".contains(byte));
        well.then(|| Self(text.into())).ok_or_else(|| DeviceNameError(text.into()))
    }
}

impl fmt::Display for DeviceName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<DeviceName> for String {
    fn from(name: DeviceName) -> Self {
        name.0
    }
}

impl TryFrom<String> for DeviceName {
    type Error = DeviceNameError;

    fn try_from(text: String) -> Result<Self, DeviceNameError> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_runtimes_take_as_a_name_is_taken() {
        for text in ["0", "all", "1:0", "mig1:0", "GPU-8e0cc3a4-0b1c-4d5e-9f60-112233445566", "a.b_c"] {
            assert_eq!(text.parse::<DeviceName>().expect(text).as_str(), text);
        }
    }

    #[test]
    fn a_name_that_a_runtime_would_refuse_is_refused() {
        for text in ["", "-", ":0", "0:", "a b", "a/b", "a=b", "é", "..", "a\0"] {
            text.parse::<DeviceName>().expect_err(text);
        }
    }
}
