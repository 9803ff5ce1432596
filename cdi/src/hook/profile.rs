//! The driver's application profile: EGL and Vulkan enumerate the GPUs of the container alone.
//!
//! The libraries ask the kernel module, not the container, which GPUs there are; without this setting they trip over
//! those whose nodes are missing. Format: *Application Profiles* of the driver's manual.

use std::path::Path;

use nix::sys::stat::{SFlag, minor};

use super::container::{Container, ContainerError, Kind, Modes};

const PROFILE: &str = "/etc/nvidia/nvidia-application-profiles-rc.d/10-container.conf";
const DEVICES: &str = "/dev";

/// Writes the profile for the GPU nodes of the container; returns whether anything changed.
///
/// # Errors
/// [`ContainerError`] when nodes cannot be listed or the profile cannot be written.
pub fn update(container: &Container) -> Result<bool, ContainerError> {
    match profile(&minors(container)?) {
        Some(profile) => container.put_file(Path::new(PROFILE), profile.as_bytes(), Modes::FIXED),
        None => Ok(false),
    }
}

fn minors(container: &Container) -> Result<Vec<u64>, ContainerError> {
    let devices = Path::new(DEVICES);
    let (named, _) = match container.list(devices, is_gpu) {
        Err(error) if error.is_missing() => return Ok(Vec::new()),
        answer => answer?,
    };
    let (folder, _) = container.folder(devices)?;
    let mut minors = Vec::new();
    for node in named.iter().filter(|node| node.kind == Kind::Other) {
        let stat = container.facts(&folder, &node.name)?;
        if SFlag::from_bits_truncate(stat.st_mode) & SFlag::S_IFMT == SFlag::S_IFCHR {
            minors.push(minor(stat.st_rdev));
        }
    }
    Ok(minors)
}

/// `nvidia0` and so on; `nvidiactl` and its like are no GPUs.
fn is_gpu(name: &[u8]) -> bool {
    name.strip_prefix(b"nvidia").is_some_and(|rest| !rest.is_empty() && rest.iter().all(u8::is_ascii_digit))
}

/// The profile that shows the GPUs with these minor numbers; numbers from 64 on do not fit the setting's mask.
#[must_use]
pub fn profile(minors: &[u64]) -> Option<String> {
    let mask = minors.iter().filter(|minor| **minor < 64).fold(0_u64, |mask, minor| mask | 1 << minor);
    (mask != 0).then(|| {
        format!(
            r#"{{"profiles":[{{"name":"_container_","settings":["EGLVisibleDGPUDevices",{mask:#x}]}}],"rules":[{{"pattern":[],"profile":"_container_"}}]}}"#
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mask_has_one_bit_a_gpu() {
        let mask = |minors: &[u64]| {
            let profile = profile(minors)?;
            let (_, rest) = profile.split_once("EGLVisibleDGPUDevices\",")?;
            rest.split_once(']').map(|(mask, _)| mask.to_owned())
        };
        assert_eq!(mask(&[0]).as_deref(), Some("0x1"));
        assert_eq!(mask(&[7, 1]).as_deref(), Some("0x82"));
        assert_eq!(mask(&[63, 64, 200]).as_deref(), Some("0x8000000000000000"));
        assert_eq!(mask(&[64]), None);
        assert_eq!(mask(&[]), None);
    }

    #[test]
    fn only_nodes_of_gpus_count() {
        for (name, wanted) in [
            ("nvidia0", true),
            ("nvidia12", true),
            ("nvidiactl", false),
            ("nvidia", false),
            ("nvidia-uvm", false),
        ] {
            assert_eq!(is_gpu(name.as_bytes()), wanted, "{name}");
        }
    }
}
