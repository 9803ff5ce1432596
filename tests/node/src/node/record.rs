//! What a node remembers of itself: `<root>/.berth-node/node.json`.
#![expect(clippy::disallowed_methods, reason = "this module keeps the record")]

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use super::files::{self, FilesError, Located};
use crate::{
    machine::{DriverVersion, Machine},
    plan::DriverFiles,
};

/// The folder of a root that holds what belongs to the simulation and not to the node.
pub(crate) const FOLDER: &str = ".berth-node";

/// A node's memory.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// What the node is.
    pub machine: Machine,
    /// Where the driver's files of each version are.
    pub sources: Vec<Located>,
    /// The simulated NVML library.
    pub nvml: Option<PathBuf>,
    /// Programs outside the root that are installed in /usr/bin of the node.
    pub programs: Vec<PathBuf>,
}

/// A record that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// No node was made there, or its record is gone.
    #[error("{0} is not a simulated node; make one with `berth-node create`")]
    NoNode(PathBuf, #[source] io::Error),
    /// Not written by this program.
    #[error("{0} is not the record of a node; make the node again")]
    Form(PathBuf, #[source] serde_json::Error),
    /// The disk refused.
    #[error("cannot write {0}; check free space and permissions")]
    Write(PathBuf, #[source] io::Error),
}

impl Record {
    /// Reads the record of the node below `root`.
    ///
    /// # Errors
    /// [`RecordError`].
    pub fn load(root: &Path) -> Result<Self, RecordError> {
        let path = path(root);
        let bytes = fs::read(&path).map_err(|source| RecordError::NoNode(root.to_path_buf(), source))?;
        serde_json::from_slice(&bytes).map_err(|source| RecordError::Form(path, source))
    }

    /// Replaces the record of the node below `root`.
    ///
    /// # Errors
    /// [`RecordError::Write`].
    pub fn save(&self, root: &Path) -> Result<(), RecordError> {
        let path = path(root);
        let new = path.with_extension("new");
        let written = serde_json::to_vec_pretty(self).map_err(io::Error::from).and_then(|bytes| {
            fs::create_dir_all(root.join(FOLDER))?;
            fs::write(&new, bytes)?;
            fs::rename(&new, &path)
        });
        written.map_err(|source| RecordError::Write(path, source))
    }

    /// The driver's files of `version`.
    ///
    /// # Errors
    /// [`FilesError`] if they are gone.
    pub(super) fn files(&self, version: &DriverVersion) -> Result<DriverFiles, FilesError> {
        let source = self.sources.iter().find(|source| source.version == *version);
        let narrow = self.machine.has(crate::machine::Feature::Compat32);
        files::read(version, source, narrow, self.nvml.as_deref())
    }
}

fn path(root: &Path) -> PathBuf {
    root.join(FOLDER).join("node.json")
}
