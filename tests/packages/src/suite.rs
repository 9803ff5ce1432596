//! Suites of Debian that packages are taken from.

use std::fmt;

/// One suite; each has its own sources, lists and archives, so that none mixes with another or the machine's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Suite {
    /// Debian 12.
    Bookworm,
    /// Debian 13.
    Trixie,
    /// What becomes Debian 14.
    Forky,
    /// Unstable: moves every day.
    Sid,
}

impl Suite {
    /// Every suite.
    pub const ALL: [Self; 4] = [Self::Bookworm, Self::Trixie, Self::Forky, Self::Sid];

    /// The name below `dists/` of a mirror.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Bookworm => "bookworm",
            Self::Trixie => "trixie",
            Self::Forky => "forky",
            Self::Sid => "sid",
        }
    }
}

impl fmt::Display for Suite {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}
