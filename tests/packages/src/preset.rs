//! What Berth's tests take from the distribution.

use std::path::PathBuf;

use crate::{Cache, FetchError, Request, Suite, fetch_request};

/// The driver's user land: the names that both branches have.
const DRIVER: [&str; 39] = [
    "libcuda1",
    "libcudadebugger1",
    "libegl-nvidia0",
    "libgl1-nvidia-glvnd-glx",
    "libgles-nvidia1",
    "libgles-nvidia2",
    "libglx-nvidia0",
    "libnvcuvid1",
    "libnvidia-allocator1",
    "libnvidia-api1",
    "libnvidia-cfg1",
    "libnvidia-egl-gbm1",
    "libnvidia-egl-wayland1",
    "libnvidia-eglcore",
    "libnvidia-encode1",
    "libnvidia-fbc1",
    "libnvidia-glcore",
    "libnvidia-glvkspirv",
    "libnvidia-ml1",
    "libnvidia-ngx1",
    "libnvidia-nvvm4",
    "libnvidia-opticalflow1",
    "libnvidia-pkcs11-openssl3",
    "libnvidia-ptxjitcompiler1",
    "libnvidia-rtcore",
    "nvidia-alternative",
    "nvidia-cuda-mps",
    "nvidia-driver-bin",
    "nvidia-egl-common",
    "nvidia-egl-icd",
    "nvidia-opencl-common",
    "nvidia-opencl-icd",
    "nvidia-persistenced",
    "nvidia-smi",
    "nvidia-vdpau-driver",
    "nvidia-vulkan-common",
    "nvidia-vulkan-icd",
    "xserver-xorg-video-nvidia",
    "firmware-nvidia-gsp",
];

/// A set of packages with a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Preset {
    /// NVIDIA's driver 535, of Debian 12.
    Driver535,
    /// NVIDIA's driver 550, of unstable.
    Driver550,
    /// containerd 2.1 and its programs, of what becomes Debian 14.
    Containerd,
    /// runc 1.1, of Debian 12.
    Runc,
    /// podman 4.3 with what it needs that the machine lacks, crun and conmon among it.
    Podman,
    /// A static busybox.
    Busybox,
}

impl Preset {
    /// Every preset.
    pub const ALL: [Self; 6] =
        [Self::Driver535, Self::Driver550, Self::Containerd, Self::Runc, Self::Podman, Self::Busybox];

    /// The name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Driver535 => "driver-535",
            Self::Driver550 => "driver-550",
            Self::Containerd => "containerd",
            Self::Runc => "runc",
            Self::Podman => "podman",
            Self::Busybox => "busybox",
        }
    }

    /// Fetches it, if it is not in the cache, and answers the unpacked tree.
    ///
    /// # Errors
    /// [`FetchError`].
    pub fn fetch(self, cache: &Cache) -> Result<PathBuf, FetchError> {
        let with_gpucomp: Vec<&str> = DRIVER.into_iter().chain(["libnvidia-gpucomp"]).collect();
        let (suite, names, dependencies): (Suite, &[&str], bool) = match self {
            Self::Driver535 => (Suite::Bookworm, &DRIVER, false),
            Self::Driver550 => (Suite::Sid, &with_gpucomp, false),
            Self::Containerd => (Suite::Forky, &["containerd"], false),
            Self::Runc => (Suite::Bookworm, &["runc"], true),
            Self::Podman => (Suite::Bookworm, &["podman", "crun", "conmon"], true),
            Self::Busybox => (Suite::Bookworm, &["busybox-static"], false),
        };
        fetch_request(cache, &Request { suite, names, dependencies })
    }
}
