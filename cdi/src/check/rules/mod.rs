//! The rules, each a function from what was seen to findings.

mod clashes;
mod files;
mod gpu;
mod hooks;
mod paths;
mod readers;
mod repeats;

use super::{
    document::Document,
    finding::{Finding, Severity},
    observed::{Facts, Folder},
};
use crate::spec::{self, ContainerEdits, Spec};

pub(super) use paths::paths;

/// What the node is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Expect {
    /// Kata Containers runs here: what it cannot read is an error.
    pub kata: bool,
    /// User id that the files and folders must belong to; 0 on every real host.
    pub owner: u32,
}

/// All findings, by file, worst first.
#[must_use]
pub fn findings(folders: &[Folder], documents: &[Document], facts: &Facts, expect: &Expect) -> Vec<Finding> {
    let mut findings = files::check(folders, documents, expect);
    for document in documents {
        match &document.spec {
            Err(reason) => {
                findings.push(Finding::new(Severity::Error, "refused", &document.path, reason.clone()));
            }
            Ok(spec) => findings.extend(of_spec(document, spec, facts, expect)),
        }
    }
    findings.extend(clashes::check(documents));
    findings.sort();
    findings.dedup();
    findings
}

fn of_spec(document: &Document, spec: &Spec, facts: &Facts, expect: &Expect) -> Vec<Finding> {
    let file = document.path.as_path();
    let broken = spec::faults(spec)
        .into_iter()
        .map(|fault| Finding::new(Severity::Error, "schema", file, fault.rule.to_string()).at(fault.place));
    let mut findings: Vec<Finding> = broken.collect();
    findings.extend(readers::check(file, spec, expect));
    findings.extend(hooks::check(file, spec, facts));
    findings.extend(paths::check(file, spec, facts));
    findings.extend(repeats::check(file, spec));
    findings.extend(gpu::check(file, spec, facts));
    findings
}

/// Each set of edits with its place in the document.
fn placed(spec: &Spec) -> impl Iterator<Item = (String, &ContainerEdits)> {
    let devices = spec.devices.iter().map(|device| {
        (format!("devices[{:?}].containerEdits", device.name.as_str()), &device.container_edits)
    });
    std::iter::once(("containerEdits".to_owned(), &spec.container_edits)).chain(devices)
}
