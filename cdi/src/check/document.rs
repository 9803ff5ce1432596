//! Spec files as a runtime would read them.

use std::path::PathBuf;

use super::observed::{Folder, SpecFile};
use crate::{
    chain::chain,
    spec::{Format, Spec},
};

/// A file that runtimes read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// Its path on the host.
    pub path: PathBuf,
    /// Position of its folder: a higher one goes before.
    pub priority: usize,
    /// What it says; or why a runtime refuses it.
    pub spec: Result<Spec, String>,
}

/// All files of `folders` that runtimes read, in the order of folders and names.
#[must_use]
pub fn documents(folders: &[Folder]) -> Vec<Document> {
    let files = |folder: &Folder| folder.files.clone().unwrap_or_default();
    let numbered = folders.iter().enumerate();
    numbered
        .flat_map(|(priority, folder)| {
            files(folder).into_iter().filter_map(move |file| document(file, priority))
        })
        .collect()
}

fn document(file: SpecFile, priority: usize) -> Option<Document> {
    let format = Format::of(&file.path)?;
    let spec = match &file.content {
        Err(reason) => Err(format!("cannot be read: {reason}; check what it is and its permissions")),
        Ok(bytes) => Spec::parse(bytes, format).map_err(|error| chain(&error)),
    };
    Some(Document { path: file.path, priority, spec })
}
