//! Capabilities of MIG, by the names that the driver gives them.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

/// A MIG capability of the driver (`/proc/driver/nvidia-caps/mig-minors`); GPUs by minor number, not index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Capability {
    /// `config`: may change the instances of all GPUs.
    Config,
    /// `monitor`: may watch all instances.
    Monitor,
    /// `gpuG/giI/access`.
    GpuInstance {
        /// Minor number of the GPU.
        gpu: u32,
        /// GPU instance id.
        gi: u32,
    },
    /// `gpuG/giI/ciC/access`.
    ComputeInstance {
        /// Minor number of the GPU.
        gpu: u32,
        /// GPU instance id.
        gi: u32,
        /// Compute instance id within the GPU instance.
        ci: u32,
    },
}

/// A text that names no capability.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("capability {0:?} is not config, monitor, gpu0/gi1/access or gpu0/gi1/ci0/access")]
pub struct CapabilityError(String);

impl Capability {
    /// The capability that `name` names.
    #[must_use]
    pub fn from_name(name: &[u8]) -> Option<Self> {
        let Some(rest) = name.strip_prefix(b"gpu") else {
            return match name {
                b"config" => Some(Self::Config),
                b"monitor" => Some(Self::Monitor),
                _ => None,
            };
        };
        let (gpu, rest) = digits(rest)?;
        let (gi, rest) = digits(rest.strip_prefix(b"/gi")?)?;
        if rest == b"/access" {
            return Some(Self::GpuInstance { gpu, gi });
        }
        let (ci, rest) = digits(rest.strip_prefix(b"/ci")?)?;
        (rest == b"/access").then_some(Self::ComputeInstance { gpu, gi, ci })
    }
}

/// A number in front, and what follows it.
pub(super) fn digits(text: &[u8]) -> Option<(u32, &[u8])> {
    let length = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (number, rest) = text.split_at_checked(length).filter(|(number, _)| !number.is_empty())?;
    let add = |sum: u32, byte: &u8| sum.checked_mul(10)?.checked_add(u32::from(byte - b'0'));
    Some((number.iter().try_fold(0, add)?, rest))
}

impl FromStr for Capability {
    type Err = CapabilityError;

    fn from_str(name: &str) -> Result<Self, CapabilityError> {
        Self::from_name(name.as_bytes()).ok_or_else(|| CapabilityError(name.into()))
    }
}

impl fmt::Display for Capability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Config => f.write_str("config"),
            Self::Monitor => f.write_str("monitor"),
            Self::GpuInstance { gpu, gi } => write!(f, "gpu{gpu}/gi{gi}/access"),
            Self::ComputeInstance { gpu, gi, ci } => write!(f, "gpu{gpu}/gi{gi}/ci{ci}/access"),
        }
    }
}

impl From<Capability> for String {
    fn from(capability: Capability) -> Self {
        capability.to_string()
    }
}

impl TryFrom<String> for Capability {
    type Error = CapabilityError;

    fn try_from(name: String) -> Result<Self, CapabilityError> {
        name.parse()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::host::HostSnapshot;

    #[test]
    fn what_is_shown_is_read_back() {
        for capability in [
            Capability::Config,
            Capability::Monitor,
            Capability::GpuInstance { gpu: 31, gi: 14 },
            Capability::ComputeInstance { gpu: 0, gi: 7, ci: 3 },
        ] {
            assert_eq!(capability.to_string().parse(), Ok(capability));
        }
        for name in
            ["", "gpu0", "gpu0/gi1", "gpu/gi1/access", "gpu0/gi1/access ", "gpu0/gi99999999999/access"]
        {
            name.parse::<Capability>().expect_err(name);
        }
    }

    #[test]
    fn a_snapshot_with_capabilities_is_a_document_that_is_read_back() {
        let capabilities = BTreeMap::from([(Capability::GpuInstance { gpu: 0, gi: 7 }, 66)]);
        let snapshot = HostSnapshot { capabilities, ..HostSnapshot::default() };
        let text = serde_json::to_string(&snapshot).expect("a document");
        assert_eq!(serde_json::from_str::<HostSnapshot>(&text).expect("a snapshot"), snapshot);
    }
}
