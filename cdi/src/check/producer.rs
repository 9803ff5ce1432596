//! Who wrote a spec, as far as it shows.

use std::path::Path;

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
