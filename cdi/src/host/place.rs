//! A folder of the host that stands for `/` to the driver: paths below it are container paths.

use std::{
    fmt::Display,
    path::{Path, PathBuf},
};

use super::snapshot::{FoundFile, LeftOut};
use crate::root::{Root, RootError};

/// The driver root or the dev root.
#[derive(Debug, Clone)]
pub(super) struct Place {
    /// Opened.
    pub(super) root: Root,
    /// As the host has it.
    host: PathBuf,
}

impl Place {
    /// The place `in_host` of `host`.
    pub(super) fn new(host: &Root, in_host: &Path) -> Result<Self, RootError> {
        let root = if in_host == Path::new("/") { host.clone() } else { host.below(in_host)? };
        Ok(Self { root, host: in_host.to_path_buf() })
    }

    /// Where the host has `in_place`.
    pub(super) fn host_path(&self, in_place: &Path) -> PathBuf {
        self.host.join(in_place.strip_prefix("/").unwrap_or(in_place))
    }

    /// A path that may begin with the place's own, without it.
    pub(super) fn inside<'a>(&self, path: &'a Path) -> &'a Path {
        // What is left has no `/` in front: a root takes both forms.
        path.strip_prefix(&self.host).unwrap_or(path)
    }

    /// The file that `resolved` is, with this path in a container.
    pub(super) fn found(&self, resolved: &Path, container: impl Into<PathBuf>) -> FoundFile {
        FoundFile { host: self.host_path(resolved), container: container.into() }
    }
}

/// Collects what had to be left out.
#[derive(Debug, Default)]
pub(super) struct Notes {
    pub(super) left_out: Vec<LeftOut>,
}

impl Notes {
    /// `what` is left out, because `why`.
    pub(super) fn leave(&mut self, what: impl Display, why: impl Into<String>) {
        self.left_out.push(LeftOut { what: what.to_string(), why: why.into() });
    }

    /// The value, or nothing and a note unless it is just not there.
    pub(super) fn unless_missing<T>(&mut self, answer: Result<T, RootError>) -> Option<T> {
        match answer {
            Ok(value) => Some(value),
            Err(error) => {
                if !error.is_missing() {
                    self.refused(&error);
                }
                None
            }
        }
    }

    fn refused(&mut self, error: &RootError) {
        match error {
            RootError::Root { path, source } | RootError::Access { path, source } => {
                self.leave(path.display(), format!("cannot be read ({source}); check permissions and links"));
            }
            RootError::TooLong { path, .. } => self.leave(path.display(), error.to_string()),
        }
    }
}
