//! What the operator chose; everything else follows from the snapshot.

use std::collections::BTreeSet;

use super::{BuildError, DEFAULT_HOOK, DeviceId, HookPart, Mode, Naming};
use crate::spec::Kind;

/// Choices of one generation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choices {
    /// In place of the mode's vendor.
    pub vendor: Option<String>,
    /// In place of the mode's class.
    pub class: Option<String>,
    /// How devices are named; each way gives every device once more.
    pub naming: Vec<Naming>,
    /// Describe these devices alone; all when empty.
    pub only: Vec<DeviceId>,
    /// Add a device `all` that holds the others.
    pub all: bool,
    /// What is said of a device node beside its path.
    pub node: Node,
    /// Give MIG devices the DRM nodes of their parent; those of graphics profiles have them anyway.
    pub mig_drm: bool,
    /// Annotate GPUs by whether their memory is coherent.
    pub coherent: bool,
    /// The hook.
    pub hook: HookChoices,
}

/// What is said of a device node beside its path.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Node {
    /// Numbers and permission bits. Without them the runtime looks at injection, and a driver reload that changes a
    /// major number does no harm.
    pub numbers: bool,
    /// The groups that may open it, as additional groups of the process. Needs CDI 0.7.0, which podman before 5 and
    /// older readers refuse.
    pub groups: bool,
}

/// How the hook is called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HookChoices {
    /// The program, on the host.
    pub path: String,
    /// Parts of its work that are left out.
    pub without: BTreeSet<HookPart>,
    /// Where images keep CUDA's compatibility libraries.
    pub compat: CompatRoot,
}

/// Where images keep CUDA's compatibility libraries.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum CompatRoot {
    /// Where the platform has it.
    #[default]
    Usual,
    /// In this folder of the container.
    Folder(String),
}

impl Default for Choices {
    fn default() -> Self {
        Self {
            vendor: None,
            class: None,
            naming: vec![Naming::Index, Naming::Uuid],
            only: Vec::new(),
            all: true,
            node: Node::default(),
            mig_drm: false,
            coherent: false,
            hook: HookChoices::default(),
        }
    }
}

impl Default for HookChoices {
    fn default() -> Self {
        Self { path: DEFAULT_HOOK.into(), without: BTreeSet::new(), compat: CompatRoot::Usual }
    }
}

impl Choices {
    /// The kind of the devices of `mode`.
    ///
    /// # Errors
    /// [`BuildError::Kind`] when a chosen part breaks CDI's grammar.
    pub fn kind_for(&self, mode: Mode) -> Result<Kind, BuildError> {
        let (vendor, class) = mode.default_kind();
        let chosen = |own: &Option<String>, usual: &str| own.clone().unwrap_or_else(|| usual.to_owned());
        Ok(Kind::new(&chosen(&self.vendor, vendor), &chosen(&self.class, class))?)
    }
}
