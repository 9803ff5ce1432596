//! Hooks: programs that run as root beside a container.

use std::path::Path;

use super::placed;
use crate::{
    check::{
        finding::{Finding, Severity},
        observed::{Fact, Facts, FileKind, Found},
    },
    spec::{Hook, Spec},
};

pub(super) fn check(file: &Path, spec: &Spec, facts: &Facts) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (place, edits) in placed(spec) {
        for (index, hook) in edits.hooks.iter().enumerate() {
            let at = format!("{place}.hooks[{index}]");
            if hook.env.is_empty() {
                let text = "the hook has no environment, so some runtimes give it the image's and run the image's code as \
                            root (CVE-2025-23266); generate the spec with a program that sets one";
                findings.push(Finding::new(Severity::Error, "hook-env", file, text).at(at.clone()));
            }
            findings.extend(program(file, hook, facts).map(|finding| finding.at(at)));
        }
    }
    findings
}

fn program(file: &Path, hook: &Hook, facts: &Facts) -> Option<Finding> {
    let path = &hook.path;
    let text = match facts.get(path)? {
        Fact::Missing => {
            format!("{path} does not exist, so no container starts; install it, or generate the spec again")
        }
        Fact::Unknown(reason) => format!("{path} cannot be looked at: {reason}; check it"),
        Fact::Found(Found { kind: FileKind::File, mode, .. }) if mode & 0o111 == 0 => {
            format!("{path} is not executable, so no container starts; set mode 0755")
        }
        Fact::Found(Found { kind: FileKind::File, mode, .. }) if mode & 0o002 != 0 => {
            format!("{path} runs as root, and every user may change it; set mode 0755")
        }
        Fact::Found(Found { kind: FileKind::File, .. }) => return None,
        Fact::Found(_) => {
            format!("{path} is no program, so no container starts; install it, or generate the spec again")
        }
    };
    Some(Finding::new(Severity::Error, "hook", file, text))
}
