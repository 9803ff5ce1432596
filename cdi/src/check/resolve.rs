//! Which devices a runtime would offer.
//!
//! The rules of CDI: a file with any fault is left out as a whole; of devices with one full name the one in the folder
//! of the highest priority is taken, and when a folder has it in two files, it is offered from none at all, not even
//! from another folder.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use serde::Serialize;

use super::{
    document::Document,
    finding::{Finding, Severity, as_text},
};
use crate::spec::{DeviceName, Kind, Spec, faults};

/// A device that can be asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Available {
    /// Full name: `vendor/class=name`.
    pub name: String,
    /// The file that it is taken from.
    #[serde(serialize_with = "as_text")]
    pub file: PathBuf,
}

/// What a runtime would offer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resolved {
    /// By full name.
    pub devices: Vec<Available>,
    /// Files left out and names in conflict.
    pub findings: Vec<Finding>,
}

/// A full name, in parts.
type Name<'a> = (&'a Kind, &'a DeviceName);

/// Resolves as a runtime does that reads exactly these documents.
#[must_use]
pub fn resolve(documents: &[Document]) -> Resolved {
    let mut findings = Vec::new();
    let mut taken: BTreeMap<Name<'_>, &Document> = BTreeMap::new();
    let mut clashes: BTreeMap<Name<'_>, Finding> = BTreeMap::new();
    for document in documents {
        let spec = match sound(document) {
            Ok(spec) => spec,
            Err(reason) => {
                findings.push(Finding::new(Severity::Error, "refused", &document.path, reason));
                continue;
            }
        };
        for name in spec.devices.iter().map(|device| (&spec.kind, &device.name)) {
            let before = taken.insert(name, document);
            if let Some(other) = before.filter(|other| other.priority == document.priority) {
                clashes.entry(name).or_insert_with(|| clash(name, &other.path, &document.path));
            }
        }
    }
    taken.retain(|name, _| !clashes.contains_key(name));
    findings.extend(clashes.into_values());
    let devices = taken
        .into_iter()
        .map(|((kind, name), document)| Available { name: kind.qualify(name), file: document.path.clone() });
    Resolved { devices: devices.collect(), findings }
}

/// The document, if a runtime takes it.
fn sound(document: &Document) -> Result<&Spec, String> {
    let spec = document.spec.as_ref().map_err(Clone::clone)?;
    match faults(spec).first() {
        Some(fault) => Err(fault.to_string()),
        None => Ok(spec),
    }
}

fn clash((kind, name): Name<'_>, one: &Path, other: &Path) -> Finding {
    let name = kind.qualify(name);
    let text = format!(
        "{name} stands in {} too, in the same folder, so runtimes offer it from neither; remove one of the files",
        one.display()
    );
    Finding::new(Severity::Error, "clash", other, text)
}
