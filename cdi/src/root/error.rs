//! Why a file below a root could not be had.

use std::{io, path::PathBuf};

/// Which path, as this process sees it, and why.
#[derive(Debug, thiserror::Error)]
pub enum RootError {
    /// The root itself.
    #[error("cannot use {path} as a root folder; check that it exists, is a folder and may be entered")]
    Root {
        /// As it was given.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// A file or folder below the root.
    #[error("cannot read {path}; check that it exists and may be read")]
    Access {
        /// As this process sees it.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// A file that is larger than its kind ever is.
    #[error("{path} holds more than {limit} bytes, which no file of its kind does; replace it")]
    TooLong {
        /// As this process sees it.
        path: PathBuf,
        /// Bytes.
        limit: usize,
    },
}

impl RootError {
    /// Whether there is just nothing at the path: a missing file or folder, not a refusal.
    #[must_use]
    pub fn is_missing(&self) -> bool {
        match self {
            Self::Root { source, .. } | Self::Access { source, .. } => {
                matches!(source.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
            }
            Self::TooLong { .. } => false,
        }
    }
}
