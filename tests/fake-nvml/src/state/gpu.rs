//! One GPU of the node.

use berth_allocator::ids::{GpuUuid, PciAddress};
use serde::{Deserialize, Serialize};

use super::{GpuFault, Telemetry};
use crate::{
    mig::{self, Mig},
    profiles::AddressingMode,
};

/// One GPU of the node.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gpu {
    /// Key of its product.
    pub product: String,
    /// Where it sits.
    pub pci: PciAddress,
    /// Minor number: `/dev/nvidia<minor>`. Unique, lasts as long as the state: handles are made of it.
    pub minor: u32,
    /// Unique.
    pub uuid: GpuUuid,
    /// Serial number of the board.
    pub serial: String,
    /// Whether a display hangs on it.
    pub display: bool,
    /// NUMA node of its PCI slot, if the node has several.
    pub numa_node: Option<u32>,
    /// What is wrong with it.
    pub fault: GpuFault,
    /// Persistence mode.
    pub persistence: bool,
    /// Who may run on it.
    pub compute_mode: ComputeMode,
    /// How long a process runs before the next.
    #[serde(default)]
    pub time_slice: TimeSlice,
    /// ECC mode; `None` where the board has none.
    pub ecc: Option<Ecc>,
    /// How its memory is addressed, where the driver tells.
    pub addressing_mode: Option<AddressingMode>,
    /// What it is to virtual machines.
    pub virtualization: VirtualizationMode,
    /// Ids of processes that run on the whole GPU: while there is one, MIG mode cannot change.
    pub processes: Vec<u32>,
    /// What it measures and counts.
    #[serde(default)]
    pub telemetry: Telemetry,
    /// Its place in the fabric of `NVLink` switches, if not the product's usual one.
    #[serde(default)]
    pub fabric: Option<Fabric>,
    /// Its MIG side.
    pub mig: Mig,
}

impl Gpu {
    /// Whether the driver counts it.
    #[must_use]
    pub fn is_counted(&self) -> bool {
        self.fault != GpuFault::Removed
    }

    /// What a reset does: pending modes come into force, volatile counts, instances and the need of a reset are gone.
    pub fn reset(&mut self) {
        mig::reset(&mut self.mig);
        if let Some(ecc) = &mut self.ecc {
            ecc.current = ecc.pending;
        }
        self.telemetry.reset();
        if self.fault == GpuFault::ResetRequired {
            self.fault = GpuFault::None;
        }
    }
}

/// A GPU's place in a fabric (`nvmlDeviceGetGpuFabricInfo`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fabric {
    /// How far the fabric manager got with it.
    pub state: FabricState,
    /// Same on all nodes of one fabric; zero within one node.
    pub cluster: [u8; 16],
    /// GPUs of one clique reach each other.
    pub clique: u32,
    /// Whether the fabric manager gave up with an error.
    pub failed: bool,
}

/// `nvmlGpuFabricState_t`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FabricState {
    /// The board belongs to none.
    NotSupported,
    /// No fabric manager yet.
    NotStarted,
    /// Being set up.
    InProgress,
    /// Done.
    Completed,
}

/// Error correction of the memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ecc {
    /// In force.
    pub current: bool,
    /// In force after a reset.
    pub pending: bool,
}

/// `nvmlComputeMode_t`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ComputeMode {
    /// Several processes.
    #[default]
    Default,
    /// None.
    Prohibited,
    /// One process: what the MPS daemon wants.
    ExclusiveProcess,
}

/// How long a process runs before the next; set by `nvidia-smi compute-policy`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TimeSlice {
    /// The driver's choice.
    #[default]
    Default,
    /// Short.
    Short,
    /// Medium.
    Medium,
    /// Long.
    Long,
}

/// `nvmlGpuVirtualizationMode_t`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum VirtualizationMode {
    /// Bare metal.
    #[default]
    None,
    /// Passed through to the virtual machine that this is.
    Passthrough,
    /// A virtual GPU in the virtual machine that this is.
    Vgpu,
    /// A host of virtual GPUs.
    HostVgpu,
    /// A host that shares whole GPUs.
    HostVsga,
}
