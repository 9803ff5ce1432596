//! The one hook: what `berth-cdi-hook` is told to do in a container's root.

use std::{collections::BTreeSet, fmt, path::Path, str::FromStr};

use super::{CompatRoot, HookChoices};
use crate::{
    host::{FoundFile, Link},
    spec::{Hook, HookName},
};

/// Where packages install the hook.
pub const DEFAULT_HOOK: &str = "/usr/bin/berth-cdi-hook";

/// Given to every hook: with an environment of its own it never gets that of the image.
const ENVIRONMENT: &str = "BERTH_CDI_HOOK_DEBUG=false";

/// A part of the hook's work, under the name of NVIDIA's hook that does it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum HookPart {
    /// `create-symlinks`.
    Links,
    /// `update-ldcache`.
    LoaderCache,
    /// `enable-cuda-compat`.
    CudaCompat,
    /// `disable-device-node-modification`.
    DeviceNodes,
    /// `update-application-profile`.
    ApplicationProfile,
}

/// All parts by name.
const NAMES: [(HookPart, &str); 5] = [
    (HookPart::Links, "create-symlinks"),
    (HookPart::LoaderCache, "update-ldcache"),
    (HookPart::CudaCompat, "enable-cuda-compat"),
    (HookPart::DeviceNodes, "disable-device-node-modification"),
    (HookPart::ApplicationProfile, "update-application-profile"),
];

/// Why a string is no part of the hook.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "hook {0:?} is not one of create-symlinks, update-ldcache, enable-cuda-compat, disable-device-node-modification and update-application-profile"
)]
pub struct HookPartError(String);

impl HookPart {
    /// All parts.
    #[must_use]
    pub fn all() -> BTreeSet<Self> {
        NAMES.iter().map(|(part, _)| *part).collect()
    }
}

impl FromStr for HookPart {
    type Err = HookPartError;

    fn from_str(text: &str) -> Result<Self, HookPartError> {
        let found = NAMES.iter().find(|(_, name)| *name == text).map(|(part, _)| *part);
        found.ok_or_else(|| HookPartError(text.into()))
    }
}

impl fmt::Display for HookPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(NAMES.iter().find(|(part, _)| part == self).map_or("", |(_, name)| *name))
    }
}

/// What there is to do.
#[derive(Debug, Default)]
pub(super) struct Work {
    /// Links that are made in any case.
    pub links: Vec<Link>,
    /// Links that are made where their target is in the container.
    pub links_if_present: Vec<Link>,
    /// Folders of libraries.
    pub folders: Vec<String>,
    /// Version that compatibility libraries are compared with.
    pub compat: Option<Compat>,
    /// Where compatibility libraries lie on this platform, if not in the usual place.
    pub compat_folder: Option<String>,
    /// Whether the driver's parameters are hidden.
    pub device_nodes: bool,
    /// Whether programs are told which GPUs they have.
    pub application_profile: bool,
}

/// What CUDA's compatibility libraries are compared with.
#[derive(Debug, Clone)]
pub(super) enum Compat {
    /// Version of the driver.
    Driver(String),
    /// Version of CUDA that the driver supports.
    Cuda(String),
}

/// The hook that does `work`, unless nothing is left to do.
pub(super) fn hook(work: &Work, choices: &HookChoices) -> Option<Hook> {
    let does = |part| !choices.without.contains(&part);
    let mut flags = Vec::new();
    if does(HookPart::Links) {
        links(work, &mut flags);
    }
    if does(HookPart::LoaderCache) {
        work.folders.iter().for_each(|folder| flag(&mut flags, "--folder", folder));
    }
    if does(HookPart::CudaCompat) {
        compat(work, &choices.compat, &mut flags);
    }
    if does(HookPart::DeviceNodes) && work.device_nodes {
        flags.push("--disable-device-node-modification".into());
    }
    if does(HookPart::ApplicationProfile) && work.application_profile {
        flags.push("--update-application-profile".into());
    }
    (!flags.is_empty()).then(|| call(choices, flags))
}

fn links(work: &Work, flags: &mut Vec<String>) {
    let both = [("--link", &work.links), ("--link-if-present", &work.links_if_present)];
    for (name, links) in both {
        for link in links {
            // A link that is no text stands in no spec; its target is found under its other names.
            if let Some(path) = link.link.to_str() {
                flag(flags, name, &format!("{}::{path}", link.target));
            }
        }
    }
}

fn compat(work: &Work, root: &CompatRoot, flags: &mut Vec<String>) {
    match &work.compat {
        Some(Compat::Driver(version)) => flag(flags, "--host-driver-version", version),
        Some(Compat::Cuda(version)) => flag(flags, "--host-cuda-version", version),
        None => return,
    }
    let folder = match root {
        CompatRoot::Folder(folder) => Some(folder),
        CompatRoot::Usual => work.compat_folder.as_ref(),
    };
    if let Some(folder) = folder {
        flag(flags, "--cuda-compat-container-root", folder);
    }
}

fn flag(flags: &mut Vec<String>, name: &str, value: &str) {
    flags.extend([name.to_owned(), value.to_owned()]);
}

fn call(choices: &HookChoices, flags: Vec<String>) -> Hook {
    let mut args = vec!["berth-cdi-hook".to_owned(), "create-container".to_owned()];
    args.extend(flags);
    Hook {
        hook_name: HookName::CreateContainer,
        path: choices.path.clone(),
        args,
        env: vec![ENVIRONMENT.into()],
        timeout: None,
    }
}

/// Folders of the libraries among `files`, sorted: what the loader must know.
pub(super) fn library_folders<'a>(files: impl IntoIterator<Item = &'a FoundFile>) -> Vec<String> {
    let folders: BTreeSet<_> = files
        .into_iter()
        .filter(|file| is_library(&file.container))
        .filter_map(|file| file.container.parent()?.to_str())
        .collect();
    folders.into_iter().map(ToOwned::to_owned).collect()
}

fn is_library(path: &Path) -> bool {
    path.file_name().and_then(|name| name.to_str()).is_some_and(|name| {
        name.strip_prefix("lib").is_some_and(|rest| rest.find(".so").is_some_and(|at| at > 0))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn work() -> Work {
        Work {
            links: vec![Link { target: "libcuda.so.1".into(), link: "/usr/lib/libcuda.so".into() }],
            links_if_present: vec![Link {
                target: "../card1".into(),
                link: "/dev/dri/by-path/x-card".into(),
            }],
            folders: vec!["/usr/lib".into()],
            compat: Some(Compat::Driver("550.163.01".into())),
            compat_folder: None,
            device_nodes: true,
            application_profile: true,
        }
    }

    #[test]
    fn one_call_does_it_all() {
        let hook = hook(&work(), &HookChoices::default()).expect("a hook");
        insta::assert_snapshot!(hook.args.join("\n"));
        assert_eq!((hook.path.as_str(), hook.env.len()), (DEFAULT_HOOK, 1));
    }

    #[test]
    fn each_part_can_be_left_out_and_nothing_is_left_when_all_are() {
        let marks = ["--link", "--folder", "--host-driver-version", "--disable-", "--update-"];
        for ((part, _), mark) in NAMES.into_iter().zip(marks) {
            let choices = HookChoices { without: BTreeSet::from([part]), ..HookChoices::default() };
            let hook = hook(&work(), &choices).expect("a hook");
            assert!(!hook.args.iter().any(|arg| arg.starts_with(mark)), "{part}");
        }
        let choices = HookChoices { without: HookPart::all(), ..HookChoices::default() };
        assert_eq!(hook(&work(), &choices), None);
    }

    #[test]
    fn only_folders_of_libraries_are_told_to_the_loader() {
        let file = |path: &str| FoundFile { host: path.into(), container: path.into() };
        let files = [
            file("/usr/lib/libcuda.so.1"),
            file("/usr/bin/nvidia-smi"),
            file("/x/lib.so"),
            file("/y/nvidia_drv.so"),
        ];
        assert_eq!(library_folders(&files), ["/usr/lib"]);
    }
}
