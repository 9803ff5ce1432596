//! Several files about the same devices, and who writes them.

use std::collections::BTreeMap;

use crate::{
    check::{
        document::Document,
        finding::{Finding, Severity},
        producer::producer,
        resolve::resolve,
    },
    spec::{Kind, Spec},
};

pub(super) fn check(documents: &[Document]) -> Vec<Finding> {
    let clashes = resolve(documents).findings.into_iter().filter(|finding| finding.rule == "clash");
    let mut findings: Vec<Finding> = clashes.collect();
    let mut kinds: BTreeMap<&Kind, Vec<(&Document, &Spec)>> = BTreeMap::new();
    for document in documents {
        if let Ok(spec) = &document.spec {
            kinds.entry(&spec.kind).or_default().push((document, spec));
        }
    }
    for (kind, of_kind) in kinds {
        if let [(first, spec), rest @ ..] = of_kind.as_slice() {
            findings.extend(
                rest.iter().map(|(other, other_spec)| second(kind, (first, spec), (other, other_spec))),
            );
        }
    }
    findings
}

/// Another file of one kind: harmless while the names differ, so that is for [`resolve`] to say.
fn second(kind: &Kind, first: (&Document, &Spec), other: (&Document, &Spec)) -> Finding {
    let by = |spec| producer(spec).map_or_else(String::new, |program| format!(", by {program}"));
    let hidden = if other.0.priority > first.0.priority {
        ", and goes before it where both have a device"
    } else {
        ""
    };
    let text = format!(
        "{kind} stands here{} and in {}{}{hidden}; let one program write it",
        by(other.1),
        first.0.path.display(),
        by(first.1)
    );
    Finding::new(Severity::Warning, "producers", &other.0.path, text)
}
