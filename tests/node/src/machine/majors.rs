//! Character device majors of the drivers of a node.

use serde::{Deserialize, Serialize};

/// DRM's major (fixed by the kernel: Documentation/admin-guide/devices.txt).
pub(crate) const DRM: u32 = 226;
/// The NVIDIA driver's own major (fixed).
pub(crate) const NVIDIA: u32 = 195;
/// Minor of `/dev/nvidiactl`.
pub(crate) const CONTROL: u32 = 255;
/// Minor of `/dev/nvidia-modeset`.
pub(crate) const MODESET: u32 = 254;

/// Majors that the kernel gives out as drivers ask, so that they differ from boot to boot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Majors {
    /// nvidia-uvm.
    pub uvm: u32,
    /// nvidia-caps: MIG.
    pub caps: u32,
    /// nvidia-caps-imex-channels.
    pub imex: u32,
    /// nvidia-nvswitch.
    pub nvswitch: u32,
    /// nvidia-fs: GPU direct storage.
    pub nvfs: u32,
    /// gdrdrv: GPU direct copy.
    pub gdrcopy: u32,
    /// infiniband_verbs.
    pub verbs: u32,
}

impl Default for Majors {
    fn default() -> Self {
        Self { uvm: 511, caps: 236, imex: 237, nvswitch: 238, nvfs: 239, gdrcopy: 240, verbs: 231 }
    }
}
