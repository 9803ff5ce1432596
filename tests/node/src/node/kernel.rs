//! What the kernel that everything runs on says of itself.
#![expect(clippy::disallowed_methods, reason = "reads /proc/devices")]

use crate::procfs::KernelDevices;

/// Its device numbers; none where /proc cannot be read.
pub(super) fn devices() -> KernelDevices {
    std::fs::read_to_string("/proc/devices")
        .map_or_else(|_| KernelDevices::default(), |text| KernelDevices::parse(&text))
}
