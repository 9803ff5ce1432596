//! Findings in the spec files of a host: what a runtime would refuse, what is not true on this host, and what to do.
//!
//! `observe` is the one effect: it reads the files, and then the facts of every host path that they name. All else
//! is pure: [`documents`] reads the files, [`findings`] judges them, [`resolve`] says what a runtime would offer.
//! [`check`] puts these together.
//!
//! A finding is an error when containers fail, get less than they asked for or more than they should; a warning when
//! some runtime or user would be in trouble; a note when it is good to know. See [`Report::exit_code`].

mod document;
mod finding;
mod observe;
mod observed;
mod producer;
mod resolve;
mod rules;

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

pub use document::{Document, documents};
pub use finding::{Finding, Report, Severity};
pub use observed::{Fact, Facts, FileKind, Folder, Found, SpecFile};
pub use producer::{producer, rivals};
pub use resolve::{Available, Resolved, resolve};
pub use rules::{Expect, findings};

use crate::root::Root;

/// Folders that runtimes read by default; what stands in a later one goes before.
pub const DEFAULT_FOLDERS: [&str; 2] = ["/etc/cdi", "/var/run/cdi"];

/// Checks all files of `folders`, given in the order of rising priority, against the host at `root`.
#[must_use]
pub fn check(root: &Root, folders: &[&Path], expect: &Expect) -> Report {
    report(root, &observe::folders(root, folders), expect)
}

/// Checks the one file at `path` against the host at `root`.
#[must_use]
pub fn check_file(root: &Root, path: &Path, expect: &Expect) -> Report {
    report(root, &[observe::file(root, path)], expect)
}

/// Other files of `folders` that describe devices of the kind that the file `own` does, one line each.
#[must_use]
pub fn other_producers(root: &Root, folders: &[&Path], own: &Path) -> Vec<String> {
    let seen = |path: &Path| root.resolve(path).unwrap_or_else(|_| path.into());
    // Two names of one folder, as /run/cdi and /var/run/cdi are, hold each file once.
    let folders: BTreeSet<PathBuf> = folders.iter().map(|folder| seen(folder)).collect();
    let folders: Vec<&Path> = folders.iter().map(PathBuf::as_path).collect();
    rivals(&documents(&observe::folders(root, &folders)), &seen(own))
}

/// What a runtime that reads `folders` would offer, and what keeps it from offering more.
#[must_use]
pub fn list(root: &Root, folders: &[&Path]) -> Resolved {
    resolve(&documents(&observe::folders(root, folders)))
}

fn report(root: &Root, folders: &[Folder], expect: &Expect) -> Report {
    let documents = documents(folders);
    let facts = observe::facts(root, &rules::paths(&documents));
    Report { files: documents.len(), findings: findings(folders, &documents, &facts, expect) }
}

#[cfg(test)]
mod tests;
