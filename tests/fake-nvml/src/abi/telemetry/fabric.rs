//! The fabric of `NVLink` switches.
//!
//! A board of one node's fabric bears cluster zero and clique 0; one of many nodes (Grace) a cluster of its own. What a
//! test wants else stands in the GPU's state.

use nvml_wrapper_sys::bindings as sys;

use crate::{
    abi::{
        Uint,
        code::Code,
        handle::Device,
        node::Whole,
        pointer::{Out, version},
    },
    export,
    state::{Fabric, FabricState},
};

/// Cluster of a fabric of many nodes, if the state names none.
const CLUSTER: [u8; 16] =
    [0x6d, 0x2b, 0x1c, 0x9f, 0x50, 0x4e, 0x47, 0xa3, 0x9a, 0x3e, 0x1f, 0x77, 0xc0, 0x5d, 0x88, 0x21];
/// Clique of such a fabric.
const CLIQUE: u32 = 32766;

/// All is well with the fabric: no bandwidth lost, no route broken.
const HEALTHY: u32 = 2 | 2 << 2 | 2 << 4 | 2 << 6;
/// A route is broken.
const UNHEALTHY: u32 = 2 | 2 << 2 | 1 << 4 | 2 << 6;

/// The first form. NVML's state and summary are single bytes with room behind them; a client that reads the room too
/// finds zeros here.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct First {
    cluster: [u8; 16],
    status: sys::nvmlReturn_t,
    clique: Uint,
    state: Uint,
}

/// The second form.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
struct Second {
    version: Uint,
    first: First,
    health: Uint,
}

/// The third form.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
struct Third {
    second: Second,
    summary: Uint,
}

export! {
    /// The first form.
    fn nvmlDeviceGetGpuFabricInfo(device: Device, info: Out<First>) = node => {
        info.put(first(fabric(node.whole(device)?)))
    };

    /// The second and third form, told by the version that is handed in.
    fn nvmlDeviceGetGpuFabricInfoV(device: Device, info: Out<Uint>) = node => {
        let fabric = fabric(node.whole(device)?);
        let (version, (health, summary)) = (info.get()?, health(fabric));
        let second = Second { version, first: first(fabric), health };
        match version {
            SECOND => info.cast().put(second),
            THIRD => info.cast().put(Third { second, summary }),
            _ => Err(Code::ARGUMENT_VERSION_MISMATCH),
        }
    };
}

const SECOND: Uint = version::<Second>(2);
const THIRD: Uint = version::<Third>(3);

fn first(fabric: Fabric) -> First {
    First {
        cluster: fabric.cluster,
        status: status(fabric),
        clique: fabric.clique,
        state: number(fabric.state),
    }
}

fn fabric(whole: Whole<'_>) -> Fabric {
    let state = if whole.product.fabric { FabricState::Completed } else { FabricState::NotSupported };
    let (cluster, clique) =
        if whole.product.fabric && whole.product.coherent { (CLUSTER, CLIQUE) } else { ([0; 16], 0) };
    whole.gpu.fabric.unwrap_or(Fabric { state, cluster, clique, failed: false })
}

fn status(fabric: Fabric) -> sys::nvmlReturn_t {
    if fabric.failed { Code::UNKNOWN.0 } else { sys::nvmlReturn_enum_NVML_SUCCESS }
}

fn number(state: FabricState) -> Uint {
    match state {
        FabricState::NotSupported => 0,
        FabricState::NotStarted => 1,
        FabricState::InProgress => 2,
        FabricState::Completed => 3,
    }
}

/// Mask and summary; nothing is said before the fabric is complete.
fn health(fabric: Fabric) -> (Uint, Uint) {
    match (fabric.state, fabric.failed) {
        (FabricState::Completed, false) => (HEALTHY, 1),
        (FabricState::Completed, true) => (UNHEALTHY, 2),
        (FabricState::NotSupported | FabricState::NotStarted | FabricState::InProgress, _) => (0, 0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_are_as_large_as_nvmls() {
        assert_eq!(size_of::<First>(), size_of::<sys::nvmlGpuFabricInfo_t>());
        assert_eq!(SECOND, version::<sys::nvmlGpuFabricInfo_v2_t>(2));
        assert_eq!(THIRD, version::<sys::nvmlGpuFabricInfo_v3_t>(3));
    }
}
