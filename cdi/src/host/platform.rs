//! What kind of machine the host is.

use std::path::Path;

use super::{
    place::{Notes, Place},
    snapshot::Platform,
    sysfs,
};
use crate::root::Root;

const TEGRA_RELEASE: &str = "/etc/nv_tegra_release";
/// Where WSL puts its library; it is in no folder of the distribution.
pub(super) const DXCORE: [&str; 2] =
    ["/usr/lib/wsl/lib/libdxcore.so", "/usr/lib/x86_64-linux-gnu/libdxcore.so"];

/// Facts by which a mode is chosen; NVML's library is told apart.
pub(super) fn observe(host: &Root, driver: &Place, notes: &mut Notes) -> Platform {
    let has = |path: &str| driver.root.resolve(Path::new(path)).is_ok();
    let family = sysfs::chip_family(host, notes).unwrap_or_default();
    Platform {
        nvml: None,
        tegra: has(TEGRA_RELEASE) || family.to_lowercase().starts_with("tegra"),
        wsl: DXCORE.iter().any(|path| has(path)),
    }
}
