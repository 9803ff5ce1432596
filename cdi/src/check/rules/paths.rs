//! Host paths: what the document says of them against what stands there.

use std::{collections::BTreeSet, path::Path};

use super::placed;
use crate::{
    check::{
        document::Document,
        finding::{Finding, Severity},
        observed::{Fact, Facts, FileKind, Found},
    },
    spec::{DeviceNode, Mount, NodeKind, Spec},
};

const AGAIN: &str = "generate the spec again";

/// All host paths that the documents name: those whose facts [`check`] and the other rules want.
pub(in crate::check) fn paths(documents: &[Document]) -> BTreeSet<String> {
    let specs = documents.iter().filter_map(|document| document.spec.as_ref().ok());
    let edits = specs.flat_map(Spec::all_edits);
    let mut paths: BTreeSet<String> = super::gpu::CONTROL_NODES.map(String::from).into();
    for edits in edits {
        paths.extend(edits.device_nodes.iter().map(|node| node.on_host().to_owned()));
        paths.extend(edits.mounts.iter().filter(|mount| is_bind(mount)).map(|mount| mount.host_path.clone()));
        paths.extend(edits.hooks.iter().map(|hook| hook.path.clone()));
    }
    paths.retain(|path| path.starts_with('/'));
    paths
}

fn is_bind(mount: &Mount) -> bool {
    mount.kind.as_deref().is_none_or(|kind| matches!(kind, "" | "none" | "bind"))
}

pub(super) fn check(file: &Path, spec: &Spec, facts: &Facts) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (place, edits) in placed(spec) {
        for (index, node) in edits.device_nodes.iter().enumerate() {
            let found = facts.get(node.on_host()).and_then(|fact| check_node(file, node, fact));
            findings.extend(found.map(|finding| finding.at(format!("{place}.deviceNodes[{index}]"))));
        }
        for (index, mount) in edits.mounts.iter().enumerate().filter(|(_, mount)| is_bind(mount)) {
            let found = facts.get(&mount.host_path).and_then(|fact| check_mount(file, mount, fact));
            findings.extend(found.map(|finding| finding.at(format!("{place}.mounts[{index}]"))));
        }
    }
    findings
}

fn check_node(file: &Path, node: &DeviceNode, fact: &Fact) -> Option<Finding> {
    let path = node.on_host();
    let (rule, text) = match fact {
        Fact::Missing => ("missing", format!("{path} does not exist; {AGAIN}")),
        Fact::Unknown(reason) => ("missing", format!("{path} cannot be looked at: {reason}; check it")),
        Fact::Found(found) => numbers(path, node, found)?,
    };
    Some(Finding::new(Severity::Error, rule, file, text))
}

/// What is wrong with an existing node, and by which rule.
fn numbers(path: &str, node: &DeviceNode, found: &Found) -> Option<(&'static str, String)> {
    let (kind, major, minor) = match found.kind {
        FileKind::Char(major, minor) => (NodeKind::Char, major, minor),
        FileKind::Block(major, minor) => (NodeKind::Block, major, minor),
        FileKind::Pipe if node.kind == Some(NodeKind::Pipe) => return None,
        FileKind::File | FileKind::Folder | FileKind::Pipe | FileKind::Socket => {
            return Some(("type", format!("{path} is no device; {AGAIN}")));
        }
    };
    let wanted = node.kind.unwrap_or(kind);
    let same_kind = wanted == kind || (wanted == NodeKind::Unbuffered && kind == NodeKind::Char);
    if !same_kind {
        return Some(("type", format!("{path} is a device of another type than stated; {AGAIN}")));
    }
    let stated = [(node.major, major), (node.minor, minor)];
    let wrong =
        stated.iter().any(|(stated, true_one)| stated.is_some_and(|stated| u64::from(stated) != *true_one));
    let show = |number: Option<u32>| number.map_or_else(|| "-".to_owned(), |number| number.to_string());
    wrong.then(|| {
        let text = format!(
            "{path} is device {major}:{minor} and {}:{} is stated, so a container gets another device; {AGAIN}, without \
             numbers",
            show(node.major),
            show(node.minor)
        );
        ("numbers", text)
    })
}

fn check_mount(file: &Path, mount: &Mount, fact: &Fact) -> Option<Finding> {
    let path = &mount.host_path;
    let text = match fact {
        Fact::Found(_) => return None,
        Fact::Missing => format!("{path} does not exist, so no container starts; {AGAIN}"),
        Fact::Unknown(reason) => format!("{path} cannot be looked at: {reason}; check it"),
    };
    Some(Finding::new(Severity::Error, "missing", file, text))
}
