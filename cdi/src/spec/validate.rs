//! The rules of CDI that a document must follow for a runtime to take it.

use std::{collections::BTreeSet, fmt};

use super::{Device, Spec, Version, annotations, edits, required_version};

/// A broken rule, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {rule}")]
pub struct Fault {
    /// Path into the document, such as `devices["0"].containerEdits.env[1]`.
    pub place: String,
    /// What is wrong there.
    pub rule: Rule,
}

/// The rules, each with what was found.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Rule {
    /// The content is newer than the stated version.
    #[error("the content needs version {needed}, {stated} is stated; state {needed}")]
    Version {
        /// What the document says.
        stated: Version,
        /// What [`required_version`] says.
        needed: Version,
    },
    /// There is nothing to ask for.
    #[error("there is no device; a runtime refuses the whole file")]
    NoDevice,
    /// Two devices of one name.
    #[error("the name stands more than once; a runtime refuses the whole file")]
    Repeated,
    /// A device that changes nothing.
    #[error("the device has no edits; a runtime refuses the whole file")]
    NoEdits,
    /// An environment entry that is none.
    #[error("{0:?} is not of the form NAME=VALUE")]
    Env(String),
    /// A path that is empty, relative, or holds a zero byte.
    #[error("{0:?} is no absolute path")]
    Path(String),
    /// Permissions other than of `r`, `w`, `m`, or `none`.
    #[error("permissions {0:?} are not made of r, w and m")]
    Permissions(String),
    /// More than permission bits.
    #[error("mode {0} holds more than permission bits; write them in decimal, such as 438 for 0666")]
    FileMode(u32),
    /// The name of a network device is empty or too long.
    #[error("{0:?} is no name of a network interface")]
    Interface(String),
    /// A class of service that is no file name.
    #[error("class of service {0:?} is neither a file name nor \"/\"")]
    ClosId(String),
    /// An annotation key that Kubernetes' rules refuse.
    #[error("annotation key {0:?} is not of the form [dns.name/]name")]
    AnnotationKey(String),
    /// All annotations together are too long.
    #[error("annotations have {0} bytes, at most {max} are read", max = annotations::MAX_BYTES)]
    AnnotationSize(usize),
}

/// Where a rule is checked: a path into the document, grown step by step.
#[derive(Debug, Clone, Copy)]
pub(super) enum Place<'a> {
    Root,
    Field(&'a Self, &'static str),
    Item(&'a Self, usize),
    Named(&'a Self, &'a str),
}

impl<'a> Place<'a> {
    pub(super) fn field(&'a self, name: &'static str) -> Self {
        Self::Field(self, name)
    }

    pub(super) fn item(&'a self, index: usize) -> Self {
        Self::Item(self, index)
    }

    pub(super) fn fault(&self, rule: Rule) -> Fault {
        Fault { place: self.to_string(), rule }
    }
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Root => f.write_str("spec"),
            Self::Field(Self::Root, name) => f.write_str(name),
            Self::Field(parent, name) => write!(f, "{parent}.{name}"),
            Self::Item(parent, index) => write!(f, "{parent}[{index}]"),
            Self::Named(parent, name) => write!(f, "{parent}[{name:?}]"),
        }
    }
}

/// Whether a runtime takes the document.
///
/// # Errors
/// The first of [`faults`].
pub fn validate(spec: &Spec) -> Result<(), super::SpecError> {
    match faults(spec).into_iter().next() {
        Some(fault) => Err(fault.into()),
        None => Ok(()),
    }
}

/// All broken rules, in the order of the document.
#[must_use]
pub fn faults(spec: &Spec) -> Vec<Fault> {
    let root = Place::Root;
    let mut faults = Vec::new();
    faults.extend(version(spec));
    annotations::check(&root.field("annotations"), &spec.annotations, &mut faults);
    if spec.devices.is_empty() {
        faults.push(root.field("devices").fault(Rule::NoDevice));
    }
    let mut seen = BTreeSet::new();
    for device in &spec.devices {
        let devices = root.field("devices");
        let place = Place::Named(&devices, device.name.as_str());
        if !seen.insert(&device.name) {
            faults.push(place.fault(Rule::Repeated));
        }
        check_device(&place, device, &mut faults);
    }
    edits::check(&root.field("containerEdits"), &spec.container_edits, &mut faults);
    faults
}

fn version(spec: &Spec) -> Option<Fault> {
    let (stated, needed) = (spec.cdi_version, required_version(spec));
    (stated < needed).then(|| Place::Root.field("cdiVersion").fault(Rule::Version { stated, needed }))
}

fn check_device(place: &Place<'_>, device: &Device, faults: &mut Vec<Fault>) {
    annotations::check(&place.field("annotations"), &device.annotations, faults);
    if device.container_edits.is_empty() {
        faults.push(place.fault(Rule::NoEdits));
    }
    edits::check(&place.field("containerEdits"), &device.container_edits, faults);
}
