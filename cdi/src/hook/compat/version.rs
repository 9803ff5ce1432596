//! Versions of drivers and of CUDA: numbers with dots between them.

use std::str::FromStr;

/// Compared number by number; missing numbers count as 0, leading zeros do not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version([u32; 4]);

/// Not one to four numbers.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no version; write numbers with dots, such as 550.163.01")]
pub struct VersionError(String);

impl Version {
    /// The first number: a driver's branch.
    #[must_use]
    pub fn major(self) -> u32 {
        let [major, ..] = self.0;
        major
    }
}

impl FromStr for Version {
    type Err = VersionError;

    fn from_str(text: &str) -> Result<Self, VersionError> {
        let wrong = || VersionError(text.chars().take(64).collect());
        let mut numbers = [0; 4];
        let mut places = numbers.iter_mut();
        for part in text.split('.') {
            let place = places.next().ok_or_else(wrong)?;
            let digits = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
            *place = digits.then(|| part.parse().ok()).flatten().ok_or_else(wrong)?;
        }
        Ok(Self(numbers))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_compare_by_number() {
        let version = |text: &str| text.parse::<Version>().expect(text);
        assert!(version("550.54.15") < version("550.163.01"));
        assert!(version("12.4") < version("12.10"));
        assert_eq!(version("550.163.01"), version("550.163.1"));
        assert_eq!(version("12"), version("12.0"));
        assert_eq!(version("550.163.01").major(), 550);
        for text in ["", ".", "550.", "a", "1.2.3.4.5", "+5", "4294967296", "12 "] {
            assert!(text.parse::<Version>().is_err(), "{text}");
        }
    }
}
