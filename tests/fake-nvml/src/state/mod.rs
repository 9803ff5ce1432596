//! The state of a node's driver and GPUs: one file in a directory, shared by all processes.
//!
//! - [`State`]: all there is, as data.
//! - [`NodeConfig`]: what a new node is made from.
//! - [`Store`]: the directory; the only effect here.
//!
//! A writer holds the lock, replaces the file as a whole and then raises a counter that readers have mapped: a reader
//! that sees the counter unmoved need not look at the file at all.

mod config;
mod counter;
mod event;
mod faults;
mod follow;
mod gpu;
mod locate;
mod store;
mod telemetry;
mod watch;

use std::{collections::BTreeMap, path::PathBuf};

use serde::{Deserialize, Serialize};

pub use config::{ConfigError, GpuConfig, NodeConfig};
pub use counter::Counter;
pub use event::{Event, EventKind, EventLog};
pub use faults::{Faults, GpuFault};
pub use gpu::{ComputeMode, Ecc, Fabric, FabricState, Gpu, TimeSlice, VirtualizationMode};
pub use locate::{STATE_VARIABLE, find as find_directory};
pub use store::{Store, StoreError, UpdateError};
pub use telemetry::{EccCounts, EccErrors, RemappedRows, Telemetry, Utilization};
pub use watch::Watch;

use crate::profiles::Product;

/// Form of the state file; a library refuses any other.
pub const FORM: u32 = 1;

/// A node's driver and GPUs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct State {
    /// [`FORM`].
    pub form: u32,
    /// Raised by every change.
    pub generation: u64,
    /// The driver.
    pub driver: Driver,
    /// How the library looks at the node.
    pub options: Options,
    /// What is wrong with the driver.
    pub faults: Faults,
    /// What happened to GPUs.
    #[serde(default)]
    pub events: EventLog,
    /// The products in use, by key.
    pub products: BTreeMap<String, Product>,
    /// All GPUs, sorted by PCI address.
    pub gpus: Vec<Gpu>,
}

/// The driver of a node.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Driver {
    /// Such as `550.163.01`.
    pub version: String,
    /// Highest CUDA version that it runs: 1000 x major + 10 x minor (12040 is 12.4).
    pub cuda: i32,
}

/// How the library looks at the node.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// Only GPUs whose `/dev/nvidia<minor>` can be opened are listed, and MIG devices whose capability nodes can: as
    /// NVIDIA's library does in a container. A node without a driver behind it (`ENXIO`) counts as opened.
    pub visible_by_device_nodes: bool,
    /// Where those nodes are looked for, if not in `/dev`.
    pub device_folder: Option<PathBuf>,
    /// A file that only the node itself has: a process that finds it is in no container, and sees all.
    pub node_mark: Option<PathBuf>,
    /// Whether a caller that is not root may change what only root may on a real node.
    pub anyone_may_change: bool,
}

impl State {
    /// The GPU with this minor number.
    #[must_use]
    pub fn gpu(&self, minor: u32) -> Option<&Gpu> {
        self.gpus.iter().find(|gpu| gpu.minor == minor)
    }

    /// The GPU with this minor number and its product, to be changed.
    pub fn gpu_mut(&mut self, minor: u32) -> Option<(&mut Gpu, &Product)> {
        let gpu = self.gpus.iter_mut().find(|gpu| gpu.minor == minor)?;
        let product = self.products.get(&gpu.product)?;
        Some((gpu, product))
    }

    /// What kind of board `gpu` is.
    #[must_use]
    pub fn product(&self, gpu: &Gpu) -> Option<&Product> {
        self.products.get(&gpu.product)
    }

    /// Adds a GPU, as hot-plug does.
    ///
    /// # Errors
    /// [`ConfigError`] when the product is not known or the minor, address or UUID is taken.
    pub fn add(&mut self, gpu: &GpuConfig) -> Result<(), ConfigError> {
        config::add(self, gpu)
    }

    /// Lets something happen to a GPU: every process that waits for such an event gets it.
    pub fn raise(&mut self, minor: u32, kind: EventKind) {
        self.events.push(minor, kind, None);
    }

    /// As [`State::raise`], on a MIG device: GPU instance and compute instance.
    pub fn raise_in(&mut self, minor: u32, instance: (u32, u32), kind: EventKind) {
        self.events.push(minor, kind, Some(instance));
    }

    /// Resets a GPU: the pending modes come into force, instances and the need of a reset are gone.
    pub fn reset(&mut self, minor: u32) {
        if let Some((gpu, _)) = self.gpu_mut(minor) {
            gpu.reset();
        }
    }
}
