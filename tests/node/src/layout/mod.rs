//! Where the driver's files lie on a node.

mod cache;
mod place;
mod tegra;
mod wsl;

use std::{fmt, path::Path, str::FromStr};

use serde::{Deserialize, Serialize};

pub(crate) use self::place::merged_usr;
pub use self::{
    cache::add as add_cache,
    place::{library_folder, userland},
};

/// One way in which nodes lay out the driver.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Layout {
    /// Debian's packages: multiarch folders, `nvidia/current` and alternatives.
    Debian,
    /// RPM distributions: everything in `/usr/lib64`.
    Rpm,
    /// Driver below `/opt/driver-root`, device nodes below `/opt/dev-root`.
    SplitRoots,
    /// A driver container's root at `/run/nvidia/driver`, with its own view of /dev.
    DriverContainer,
    /// Libraries in `/var/lib/nvidia/lib64`, which only `/etc/ld.so.cache` knows.
    LdcacheOnly,
    /// A Tegra board (Orin): integrated GPU, files listed in CSV files.
    TegraOrin,
    /// A Tegra board (Thor) with a discrete GPU beside the integrated one.
    TegraThor,
    /// Windows' subsystem for Linux: `/dev/dxg` and the driver store.
    Wsl,
}

/// A name that is no layout.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("layout {name:?} is not one of {known}", known = known())]
pub struct UnknownLayout {
    name: String,
}

impl Layout {
    /// All of them, with their names.
    pub const ALL: [(Self, &'static str); 8] = [
        (Self::Debian, "debian"),
        (Self::Rpm, "rpm"),
        (Self::SplitRoots, "split-roots"),
        (Self::DriverContainer, "driver-container"),
        (Self::LdcacheOnly, "ldcache-only"),
        (Self::TegraOrin, "tegra-orin"),
        (Self::TegraThor, "tegra-thor"),
        (Self::Wsl, "wsl"),
    ];

    /// The folder that the driver's files are below.
    #[must_use]
    pub fn driver_root(self) -> &'static Path {
        Path::new(match self {
            Self::SplitRoots => "/opt/driver-root",
            Self::DriverContainer => "/run/nvidia/driver",
            Self::Debian | Self::Rpm | Self::LdcacheOnly | Self::TegraOrin | Self::TegraThor | Self::Wsl => {
                "/"
            }
        })
    }

    /// The folder whose `dev` holds the driver's nodes.
    #[must_use]
    pub fn dev_root(self) -> &'static Path {
        Path::new(if self == Self::SplitRoots { "/opt/dev-root" } else { "/" })
    }

    /// True for boards whose files are listed in CSV files.
    #[must_use]
    pub fn is_tegra(self) -> bool {
        matches!(self, Self::TegraOrin | Self::TegraThor)
    }
}

fn known() -> String {
    Layout::ALL.map(|(_, name)| name).join(", ")
}

impl FromStr for Layout {
    type Err = UnknownLayout;

    fn from_str(name: &str) -> Result<Self, UnknownLayout> {
        let found = Self::ALL.iter().find(|(_, known)| *known == name);
        found.map(|(layout, _)| *layout).ok_or_else(|| UnknownLayout { name: name.into() })
    }
}

impl fmt::Display for Layout {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let found = Self::ALL.iter().find(|(layout, _)| layout == self);
        out.write_str(found.map_or("", |(_, name)| name))
    }
}
