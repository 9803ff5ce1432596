//! What the rules of the repository look at: its files and its packages.

#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "reads the repository itself")]

use std::{
    fs, io,
    path::{Path, PathBuf},
    process::Command,
};

/// A file of the repository that is kept as source.
#[derive(Debug, Clone)]
pub struct Source {
    /// Path below the repository.
    pub path: PathBuf,
    /// Its text.
    pub text: String,
}

/// The repository's folder.
#[must_use]
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap_or_else(|| Path::new("/")).to_path_buf()
}

/// All files with the extension `extension`, sorted; build folders and hidden folders are left out.
///
/// # Errors
/// A folder or file that can't be read.
pub fn sources(extension: &str) -> io::Result<Vec<Source>> {
    let (root, mut found, mut folders) = (root(), Vec::new(), vec![root()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() && is_kept(&path) {
                folders.push(path);
            } else if path.extension().is_some_and(|own| own == extension) {
                let below = path.strip_prefix(&root).unwrap_or(&path).to_path_buf();
                found.push(Source { path: below, text: fs::read_to_string(&path)? });
            }
        }
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(found)
}

fn is_kept(folder: &Path) -> bool {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    !folder.is_symlink() && name != "target" && !name.starts_with('.')
}

/// What `cargo metadata` says of the workspace, without a registry.
///
/// # Errors
/// cargo can't be started, or its answer isn't JSON.
pub fn metadata() -> io::Result<serde_json::Value> {
    let cargo = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version=1", "--no-deps", "--offline"])
        .current_dir(root())
        .output()?;
    Ok(serde_json::from_slice(&cargo.stdout)?)
}
