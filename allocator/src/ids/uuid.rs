//! UUIDs of GPUs and MIG devices, as NVML gives them.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

/// Why a string is no UUID of NVML.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("uuid {text:?} is not {prefix} followed by 8-4-4-4-12 hexadecimal digits")]
pub struct UuidError {
    text: String,
    prefix: &'static str,
}

macro_rules! uuid {
    ($name:ident, $prefix:literal, $doc:literal) => {
        #[doc = $doc]
        ///
        /// It names files and CDI devices, so nothing but digits, `a-f` and `-` may get in.
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(into = "String", try_from = "String")]
        pub struct $name(String);

        impl FromStr for $name {
            type Err = UuidError;

            fn from_str(text: &str) -> Result<Self, UuidError> {
                match text.strip_prefix($prefix) {
                    Some(digits) if is_uuid(digits) => Ok(Self(text.into())),
                    _ => Err(UuidError { text: text.into(), prefix: $prefix }),
                }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl From<$name> for String {
            fn from(uuid: $name) -> Self {
                uuid.0
            }
        }

        impl TryFrom<String> for $name {
            type Error = UuidError;

            fn try_from(text: String) -> Result<Self, UuidError> {
                text.parse()
            }
        }
    };
}

uuid!(GpuUuid, "GPU-", "UUID of a whole GPU: `GPU-8e0cc3a4-...`.");
uuid!(MigUuid, "MIG-", "UUID of a MIG device (driver R470 and newer): `MIG-41b3359c-...`.");

fn is_uuid(digits: &str) -> bool {
    let groups: Vec<&str> = digits.split('-').collect();
    let lengths = groups.iter().map(|group| group.len());
    lengths.eq([8, 4, 4, 4, 12])
        && groups
            .iter()
            .all(|group| group.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_two_kinds_are_not_mixed_up() {
        let (gpu, mig) =
            ("GPU-8e0cc3a4-0b1c-4d5e-9f60-112233445566", "MIG-8e0cc3a4-0b1c-4d5e-9f60-112233445566");
        assert_eq!(gpu.parse::<GpuUuid>().expect("a uuid").to_string(), gpu);
        assert_eq!(mig.parse::<MigUuid>().expect("a uuid").to_string(), mig);
        gpu.parse::<MigUuid>().expect_err("a gpu is no mig device");
        mig.parse::<GpuUuid>().expect_err("a mig device is no gpu");
    }

    #[test]
    fn a_uuid_cannot_leave_a_folder() {
        for text in ["GPU-../../../etc/passwd", "GPU-", "GPU-8E0CC3A4-0b1c-4d5e-9f60-112233445566", "GPU-\0"]
        {
            text.parse::<GpuUuid>().expect_err(text);
        }
    }
}
