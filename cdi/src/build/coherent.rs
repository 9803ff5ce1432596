//! GPUs apart by whether their memory is coherent with the processor's.

use std::collections::BTreeMap;

use berth_allocator::inventory::{Coherence, Gpu};

use super::{Choices, all};
use crate::spec::{Device, Kind, KindError, Spec, required_version};

/// Annotation of a device (NVIDIA's toolkit).
const ANNOTATION: &str = "gpu.nvidia.com/coherent";

/// Which GPUs a spec of its own describes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Coherent {
    /// Coherent ones.
    Yes,
    /// The others.
    No,
}

impl Coherent {
    /// What class and file name say.
    #[must_use]
    pub fn infix(self) -> &'static str {
        match self {
            Self::Yes => "coherent",
            Self::No => "noncoherent",
        }
    }

    fn value(self) -> &'static str {
        match self {
            Self::Yes => "true",
            Self::No => "false",
        }
    }
}

/// What is said of `gpu`; nothing where the driver doesn't tell.
pub(super) fn annotations(gpu: &Gpu, choices: &Choices) -> BTreeMap<String, String> {
    let coherent = match gpu.coherence {
        Coherence::Coherent => Some(Coherent::Yes),
        Coherence::NonCoherent => Some(Coherent::No),
        Coherence::Unknown => None,
    };
    let said = coherent.filter(|_| choices.coherent);
    said.map(|coherent| (ANNOTATION.into(), coherent.value().into())).into_iter().collect()
}

/// The spec of those GPUs alone, with a class of its own; none if there are none.
///
/// # Errors
/// The class would not be one any more.
pub fn coherent(spec: &Spec, wanted: Coherent) -> Result<Option<Spec>, KindError> {
    let is =
        |device: &Device| device.annotations.get(ANNOTATION).is_some_and(|value| value == wanted.value());
    let class = format!("{}.{}", spec.kind.class(), wanted.infix());
    let mut own = Spec {
        kind: Kind::new(spec.kind.vendor(), &class)?,
        devices: spec.devices.iter().filter(|device| is(device)).cloned().collect(),
        ..spec.clone()
    };
    if own.devices.is_empty() {
        return Ok(None);
    }
    let merged = spec.devices.iter().any(|device| device.name.as_str() == super::ALL);
    if let Some(all) = all(&own).filter(|_| merged) {
        own.devices.push(all);
    }
    own.simplify();
    own.cdi_version = required_version(&own);
    Ok(Some(own))
}
