//! The name under which the driver registers and publishes.

use std::{fmt, str::FromStr};

/// Name of a DRA driver: a DNS subdomain of at most 63 characters (Kubernetes API, `resource.k8s.io/v1`).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct DriverName(String);

/// Why a string is no [`DriverName`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("driver name {0:?} is not a dns subdomain of at most 63 characters, such as gpu.nvidia.com")]
pub struct DriverNameError(String);

impl FromStr for DriverName {
    type Err = DriverNameError;

    fn from_str(name: &str) -> Result<Self, DriverNameError> {
        let valid = name.len() <= 63 && name.split('.').all(is_label);
        if valid { Ok(Self(name.into())) } else { Err(DriverNameError(name.into())) }
    }
}

fn is_label(label: &str) -> bool {
    let inner = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let ends = [label.bytes().next(), label.bytes().last()];
    ends.into_iter().all(|end| end.is_some_and(inner))
        && label.bytes().all(|byte| inner(byte) || byte == b'-')
}

impl fmt::Display for DriverName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_cannot_leave_its_folder_or_the_api() {
        for name in ["", ".", "..", "a..b", "-a", "a-", "A", "a/b", "a_b", &"a".repeat(64)] {
            assert_eq!(name.parse::<DriverName>(), Err(DriverNameError(name.into())));
        }
        assert_eq!("gpu.nvidia.com".parse::<DriverName>().expect("a name").to_string(), "gpu.nvidia.com");
    }
}
