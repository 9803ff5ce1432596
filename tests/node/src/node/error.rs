//! What can go wrong with a node.

use std::{io, path::PathBuf};

use berth_fake_nvml::state::{ConfigError, StoreError, UpdateError};

use super::{FilesError, RecordError};
use crate::{nvml::MigRefusal, tree::write::WriteError};

/// What went wrong with a node.
#[derive(Debug, thiserror::Error)]
pub enum NodeError {
    /// The driver's files could not be had.
    #[error(transparent)]
    Files(#[from] FilesError),
    /// The record of the node is missing or unreadable.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The tree could not be made.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// NVML's state could not be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A change of MIG was refused.
    #[error(transparent)]
    Mig(#[from] MigRefusal),
    /// A GPU could not be added.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// Nobody else may change the node meanwhile.
    #[error("cannot lock {0}; check permissions")]
    Lock(PathBuf, #[source] io::Error),
    /// A GPU that is not there.
    #[error("there is no gpu with minor {0}; `berth-node show` lists those there are")]
    NoGpu(u32),
}

impl<E: Into<Self>> From<UpdateError<E>> for NodeError {
    fn from(error: UpdateError<E>) -> Self {
        match error {
            UpdateError::Store(error) => error.into(),
            UpdateError::Refused(refusal) => refusal.into(),
        }
    }
}
