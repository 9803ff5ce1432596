//! Who wrote a spec, as far as it shows.

use std::path::Path;

use super::document::Document;
use crate::spec::Spec;

/// Programs by the file name of the hook that they emit.
const HOOKS: [(&str, &str); 3] = [
    ("berth-cdi-hook", "berth-cdi"),
    ("nvidia-cdi-hook", "nvidia-ctk cdi generate (nvidia-cdi-refresh.service)"),
    ("nvidia-ctk", "nvidia-ctk cdi generate (nvidia-cdi-refresh.service)"),
];

/// Programs by their vendor prefix; these use hooks of the toolkit, so they are looked at first.
const VENDORS: [(&str, &str); 3] = [
    ("k8s.device-plugin.nvidia.com", "the nvidia device plugin"),
    ("k8s.gpu.nvidia.com", "nvidia's dra driver"),
    ("management.nvidia.com", "the nvidia gpu operator"),
];

/// The program that writes such specs, if it can be told.
#[must_use]
pub fn producer(spec: &Spec) -> Option<&'static str> {
    let by_vendor = VENDORS.iter().find(|(vendor, _)| spec.kind.vendor() == *vendor);
    let hooks = || spec.all_edits().flat_map(|edits| &edits.hooks);
    let by_hook = || {
        HOOKS
            .iter()
            .find(|(name, _)| hooks().any(|hook| Path::new(&hook.path).file_name() == Some(name.as_ref())))
    };
    by_vendor.or_else(by_hook).map(|(_, program)| *program)
}

/// Files beside `own` that describe devices of its kind, one line each: two programs write about the same devices.
#[must_use]
pub fn rivals(documents: &[Document], own: &Path) -> Vec<String> {
    let spec_of = |document: &Document| document.spec.as_ref().ok().cloned();
    let kind =
        documents.iter().filter(|document| document.path == own).find_map(spec_of).map(|spec| spec.kind);
    let Some(kind) = kind else { return Vec::new() };
    let others = documents.iter().filter(|document| document.path != own);
    others
        .filter_map(|document| Some((&document.path, document.spec.as_ref().ok()?)))
        .filter(|(_, spec)| spec.kind == kind)
        .map(|(path, spec)| {
            let by = producer(spec).map_or_else(String::new, |program| format!(" by {program}"));
            format!("warning: {kind} is written to {} too{by}; let one program write it", path.display())
        })
        .collect()
}
