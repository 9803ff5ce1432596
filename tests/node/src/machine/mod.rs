//! What a simulated node is, as data: everything that the tree is planned from.
//!
//! A change to a node is a new machine; the difference of the two planned trees is what is done.

mod feature;
mod gpu;
mod instance;
pub(crate) mod majors;
mod product;
mod version;

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

pub use self::{
    feature::{Feature, UnknownFeature},
    gpu::{Gpu, GpuError, parse_gpus, place},
    instance::Instance,
    majors::Majors,
    product::{Product, UnknownProduct},
    version::{DriverVersion, DriverVersionError},
};
use crate::layout::Layout;

/// A simulated node.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Machine {
    /// Where the driver's files lie.
    pub layout: Layout,
    /// Version of the driver's files that links lead to.
    pub userland: DriverVersion,
    /// Version of files that a package manager has unpacked beside them, in the midst of an upgrade.
    pub unpacked: Option<DriverVersion>,
    /// Version of the loaded kernel module; `None` when it is not loaded.
    pub kernel: Option<DriverVersion>,
    /// GPUs on the bus.
    pub gpus: Vec<Gpu>,
    /// What else the node has.
    pub features: BTreeSet<Feature>,
    /// Character device numbers that drivers got.
    pub majors: Majors,
    /// MIG instances that exist.
    pub instances: BTreeSet<Instance>,
    /// Functions that the simulated NVML of this node lacks, as that of an older driver does.
    pub lacking: BTreeSet<String>,
}

impl Machine {
    /// A node with its driver loaded, the standard numbers and no MIG instance.
    #[must_use]
    pub fn new(layout: Layout, driver: DriverVersion, mut gpus: Vec<Gpu>) -> Self {
        if layout == Layout::TegraThor {
            gpus.iter_mut().take(1).for_each(Gpu::integrate);
        }
        Self {
            layout,
            userland: driver.clone(),
            unpacked: None,
            kernel: Some(driver),
            gpus,
            features: BTreeSet::new(),
            majors: Majors::default(),
            instances: BTreeSet::new(),
            lacking: BTreeSet::new(),
        }
    }

    /// True when this node has `feature`.
    #[must_use]
    pub fn has(&self, feature: Feature) -> bool {
        self.features.contains(&feature)
    }

    /// True while the driver is loaded and a GPU can be divided.
    #[must_use]
    pub fn can_divide(&self) -> bool {
        self.driven().any(|gpu| gpu.mig)
    }

    /// The GPUs that have device nodes: all while the driver is loaded, none otherwise.
    pub fn driven(&self) -> impl Iterator<Item = &Gpu> {
        self.gpus.iter().filter(|_| self.kernel.is_some())
    }
}
