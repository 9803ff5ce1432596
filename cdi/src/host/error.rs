//! Why a host could not be observed as a whole. What one device or file lacks is in the snapshot instead.

use std::path::PathBuf;

use super::{nvml::NvmlError, snapshot::LeftOut};
use crate::root::RootError;

/// Why there is no snapshot.
#[derive(Debug, thiserror::Error)]
pub enum HostError {
    /// The driver root or the dev root cannot be used.
    #[error("cannot use {path} as {role}; check the flag --{role}")]
    Root {
        /// `driver-root` or `dev-root`.
        role: &'static str,
        /// As the host has it.
        path: PathBuf,
        /// What is wrong with it.
        source: RootError,
    },
    /// There is no driver to describe.
    #[error(
        "no libcuda.so or libnvidia-ml.so of a driver below {below}{}; install the driver, or say where it is with \
         --driver-root or --library-search-path", but(.left_out)
    )]
    NoDriver {
        /// The driver root.
        below: PathBuf,
        /// Folders that could not be looked at.
        left_out: Vec<LeftOut>,
    },
    /// An upgrade that was not finished.
    #[error(
        "the driver that runs is {running}, but the libraries below {below} are {files}; finish the upgrade, or reload the kernel module or reboot"
    )]
    Mismatch {
        /// What NVML says.
        running: String,
        /// What the file names say.
        files: String,
        /// The driver root.
        below: PathBuf,
    },
    /// NVML gave nothing.
    #[error(transparent)]
    Nvml(#[from] NvmlError),
}

/// What else there may be, for the middle of a sentence.
fn but(left_out: &[LeftOut]) -> String {
    match left_out {
        [] => String::new(),
        [first, ..] => format!(", but {} {}", first.what, first.why),
    }
}
