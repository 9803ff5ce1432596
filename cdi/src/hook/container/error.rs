//! Why something in a container's root did not work.

use std::{io, path::PathBuf};

use nix::errno::Errno;

/// Paths below the root are the container's, without the root's own path.
#[derive(Debug, thiserror::Error)]
pub enum ContainerError {
    /// The root folder.
    #[error("cannot open the container's root {path}; check the bundle that the runtime names")]
    Root {
        /// As the runtime gave it.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// The root is this machine's own.
    #[error("the container's root {0} is the host's; a hook must not change the host")]
    HostRoot(PathBuf),
    /// openat2(2) came with Linux 5.6; without it no path of an image can be followed safely.
    #[error("this kernel, or a filter of system calls, lacks openat2; Linux 5.6 or newer is needed")]
    Kernel,
    /// No way to open a file that was looked at.
    #[error("cannot have a private view of processes; Linux 5.2 or newer, or a mounted /proc, is needed")]
    Processes(#[source] io::Error),
    /// A file or folder of the container.
    #[error("cannot {action} {path} in the container; check its permissions and what stands there")]
    Access {
        /// What was tried, as a verb.
        action: &'static str,
        /// In the container.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// A device, pipe, socket or folder where a file should be.
    #[error("{0} in the container is no regular file; remove it from the image")]
    NotRegular(PathBuf),
    /// Larger than its kind ever is.
    #[error("{path} in the container holds more than {limit} bytes; remove it from the image")]
    TooLong {
        /// In the container.
        path: PathBuf,
        /// Bytes.
        limit: usize,
    },
    /// More names in a folder than any distribution has.
    #[error("{path} in the container holds more than {limit} names; keep libraries elsewhere")]
    TooMany {
        /// In the container.
        path: PathBuf,
        /// Names.
        limit: usize,
    },
    /// A path without a last name, such as `/` or `..`.
    #[error("{0} names no file; correct the hook's arguments")]
    NoName(PathBuf),
    /// A volume brings a folder of the host into the container under its own name.
    #[error("{0} in the container is the host's own folder; nothing is written there")]
    HostFolder(PathBuf),
}

impl ContainerError {
    pub(super) fn access(action: &'static str, path: impl Into<PathBuf>, errno: Errno) -> Self {
        if errno == Errno::ENOSYS {
            return Self::Kernel;
        }
        Self::Access { action, path: path.into(), source: errno.into() }
    }

    /// Whether there is just nothing.
    #[must_use]
    pub fn is_missing(&self) -> bool {
        matches!(self.kind(), Some(io::ErrorKind::NotFound | io::ErrorKind::NotADirectory))
    }

    /// Whether the place cannot be changed by intent: a read-only file system, something mounted there, the host's.
    #[must_use]
    pub fn is_kept(&self) -> bool {
        matches!(self, Self::HostFolder(_))
            || matches!(self.kind(), Some(io::ErrorKind::ReadOnlyFilesystem | io::ErrorKind::ResourceBusy))
    }

    fn kind(&self) -> Option<io::ErrorKind> {
        match self {
            Self::Root { source, .. } | Self::Processes(source) | Self::Access { source, .. } => {
                Some(source.kind())
            }
            Self::HostRoot(_)
            | Self::Kernel
            | Self::NotRegular(_)
            | Self::TooLong { .. }
            | Self::TooMany { .. }
            | Self::NoName(_)
            | Self::HostFolder(_) => None,
        }
    }
}
