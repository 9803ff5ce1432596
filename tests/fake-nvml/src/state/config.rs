//! What a new node is made from.

use std::collections::BTreeMap;

use berth_allocator::ids::{GpuUuid, PciAddress, PciAddressError, UuidError};
use serde::{Deserialize, Serialize};

use super::{
    ComputeMode, Driver, Ecc, EventLog, FORM, Faults, Gpu, GpuFault, Options, State, Telemetry, TimeSlice,
    VirtualizationMode,
};
use crate::{
    mig::{self, Mig},
    profiles::{self, ProductError},
};

/// A node to be made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NodeConfig {
    /// Such as `550.163.01`.
    pub driver_version: String,
    /// Highest CUDA version of the driver: major, minor.
    pub cuda_version: (u16, u16),
    /// The GPUs, 16 at most on any real node; more are taken all the same.
    pub gpus: Vec<GpuConfig>,
    /// What is wrong from the start.
    #[serde(default)]
    pub faults: Faults,
    /// How the library looks at the node.
    #[serde(default)]
    pub options: Options,
}

/// A GPU to be made; all but the product may be left to the maker.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GpuConfig {
    /// Key of [`profiles::PRODUCTS`], such as `h200-141gb`.
    pub product: String,
    /// Where it sits; else the next of 16 places on buses of their own.
    pub pci: Option<PciAddress>,
    /// Minor number; else the lowest free.
    pub minor: Option<u32>,
    /// UUID; else one that follows from product and address.
    pub uuid: Option<GpuUuid>,
    /// Whether a display hangs on it.
    pub display: bool,
    /// NUMA node of its slot.
    pub numa_node: Option<u32>,
    /// Whether MIG is on from the start; ignored by a board without MIG.
    pub mig: bool,
}

impl NodeConfig {
    /// A node with `count` boards of one product, driver 550.163.01, CUDA 12.4.
    #[must_use]
    pub fn uniform(product: &str, count: usize) -> Self {
        let gpu = GpuConfig { product: product.into(), ..GpuConfig::default() };
        Self {
            driver_version: "550.163.01".into(),
            cuda_version: (12, 4),
            gpus: vec![gpu; count],
            faults: Faults::default(),
            options: Options::default(),
        }
    }

    /// The state of the new node.
    ///
    /// # Errors
    /// [`ConfigError`] when a product is not known or a minor, address or UUID is given twice.
    pub fn state(&self) -> Result<State, ConfigError> {
        let (major, minor) = self.cuda_version;
        let mut state = State {
            form: FORM,
            generation: 1,
            driver: Driver {
                version: self.driver_version.clone(),
                cuda: i32::from(major) * 1000 + i32::from(minor) * 10,
            },
            options: self.options.clone(),
            faults: self.faults.clone(),
            events: EventLog::default(),
            products: BTreeMap::new(),
            gpus: Vec::new(),
        };
        self.gpus.iter().try_for_each(|gpu| add(&mut state, gpu))?;
        Ok(state)
    }
}

/// Why a node or GPU cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// No such product.
    #[error(transparent)]
    Product(#[from] ProductError),
    /// Two GPUs cannot have the same.
    #[error("{0} is taken by another GPU; choose one that is free")]
    Taken(String),
    /// Only from a maker's fault.
    #[error("a PCI address could not be made")]
    Address(#[from] PciAddressError),
    /// Only from a maker's fault.
    #[error("a UUID could not be made")]
    Uuid(#[from] UuidError),
}

/// Adds a GPU, and its product if it is new to the node.
pub(super) fn add(state: &mut State, config: &GpuConfig) -> Result<(), ConfigError> {
    let product = match state.products.get(&config.product) {
        Some(product) => product.clone(),
        None => profiles::find(&config.product)?,
    };
    let minor = config.minor.unwrap_or_else(|| lowest_free(|minor| state.gpu(minor).is_some()));
    let pci = config.pci.map_or_else(|| free_place(state), Ok)?;
    let uuid = match &config.uuid {
        Some(uuid) => uuid.clone(),
        None => mig::gpu_uuid(&config.product, pci).parse()?,
    };
    let taken = [
        (state.gpu(minor).is_some(), format!("minor {minor}")),
        (state.gpus.iter().any(|gpu| gpu.pci == pci), format!("address {pci}")),
        (state.gpus.iter().any(|gpu| gpu.uuid == uuid), format!("uuid {uuid}")),
    ];
    if let Some((_, what)) = taken.into_iter().find(|(taken, _)| *taken) {
        return Err(ConfigError::Taken(what));
    }
    let on = config.mig && product.mig.is_some();
    state.gpus.push(Gpu {
        product: config.product.clone(),
        pci,
        minor,
        uuid,
        serial: format!("13210{:08}", 20_000_000 + minor),
        display: config.display,
        numa_node: config.numa_node,
        fault: GpuFault::None,
        persistence: false,
        compute_mode: ComputeMode::Default,
        time_slice: TimeSlice::Default,
        ecc: product.ecc.map(|on| Ecc { current: on, pending: on }),
        addressing_mode: product.addressing_mode,
        virtualization: VirtualizationMode::None,
        processes: Vec::new(),
        telemetry: Telemetry::default(),
        fabric: None,
        mig: Mig { enabled: on, pending: on, instances: Vec::new() },
    });
    state.gpus.sort_by_key(|gpu| gpu.pci);
    state.products.entry(config.product.clone()).or_insert(product);
    Ok(())
}

/// Places as of an eight-GPU board: buses 0x1b, 0x2c, 0x3d, ... in steps of 0x11.
fn free_place(state: &State) -> Result<PciAddress, PciAddressError> {
    let place = |n: u32| format!("{:04x}:{:02x}:00.0", n / 14, 0x1b + n % 14 * 0x11);
    let taken = |n: u32| state.gpus.iter().any(|gpu| gpu.pci.to_string() == place(n));
    place(lowest_free(taken)).parse()
}

fn lowest_free(taken: impl Fn(u32) -> bool) -> u32 {
    let mut number = 0;
    while taken(number) {
        number += 1;
    }
    number
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sixteen_gpus_have_places_minors_and_uuids_of_their_own() {
        let state = NodeConfig::uniform("h200-141gb", 16).state().expect("a node");
        let minors: Vec<u32> = state.gpus.iter().map(|gpu| gpu.minor).collect();
        assert_eq!(minors, (0..16).collect::<Vec<_>>());
        assert_eq!(state.gpus[0].pci.to_string(), "0000:1b:00.0");
        assert_eq!(state.products.len(), 1);
    }

    #[test]
    fn what_is_taken_is_named() {
        let twice = GpuConfig { product: "t4".into(), minor: Some(3), ..GpuConfig::default() };
        let config = NodeConfig { gpus: vec![twice.clone(), twice], ..NodeConfig::uniform("t4", 0) };
        let error = config.state().expect_err("one minor, two GPUs");
        assert_eq!(error.to_string(), "minor 3 is taken by another GPU; choose one that is free");
    }
}
