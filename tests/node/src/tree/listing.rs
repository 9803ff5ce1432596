//! A tree as text, one line an entry: for people, and for tests that compare whole trees.

use std::fmt;

use super::{Entry, Tree};

impl fmt::Display for Tree {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.iter().try_for_each(|(path, entry)| writeln!(out, "{}{entry}", path.display()))
    }
}

/// What follows the path in a listing.
impl fmt::Display for Entry {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder { mode: 0o755 } => write!(out, "/"),
            Self::Folder { mode } => write!(out, "/ {mode:04o}"),
            Self::File { mode: 0o644, .. } => Ok(()),
            Self::File { mode, .. } => write!(out, " {mode:04o}"),
            Self::Link { target } => write!(out, " -> {}", target.display()),
            Self::Device(device) => {
                let (major, minor, mode, group) = (device.major, device.minor, device.mode, device.group);
                write!(out, " c {major}:{minor} {mode:04o} 0:{group}")
            }
            Self::Socket => write!(out, " ="),
        }
    }
}
