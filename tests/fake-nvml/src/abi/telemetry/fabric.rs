//! The fabric of `NVLink` switches.
//!
//! A board of one node's fabric bears cluster zero and clique 0; one of many nodes (Grace) a cluster of its own. What a
//! test wants else stands in the GPU's state.

use nvml_wrapper_sys::bindings as sys;

use crate::{
    abi::{
        code::{Answer, Code},
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

export! {
    /// The first form.
    fn nvmlDeviceGetGpuFabricInfo(device: Device, info: Out<sys::nvmlGpuFabricInfo_t>) = node => {
        let fabric = fabric(node.whole(device)?);
        info.put(sys::nvmlGpuFabricInfo_t {
            clusterUuid: fabric.cluster,
            status: status(fabric),
            cliqueId: fabric.clique,
            state: number(fabric.state),
        })
    };

    /// The second and third form, told by the version that is handed in.
    fn nvmlDeviceGetGpuFabricInfoV(device: Device, info: Out<sys::nvmlGpuFabricInfo_v3_t>) = node => {
        let fabric = fabric(node.whole(device)?);
        newer(fabric, info)
    };
}

fn newer(fabric: Fabric, info: Out<sys::nvmlGpuFabricInfo_v3_t>) -> Answer {
    let (second, third) =
        (version::<sys::nvmlGpuFabricInfo_v2_t>(2), version::<sys::nvmlGpuFabricInfo_v3_t>(3));
    let (mask, summary) = health(fabric);
    match info.cast::<u32>().get()? {
        form if form == third => info.put(sys::nvmlGpuFabricInfo_v3_t {
            version: form,
            clusterUuid: fabric.cluster,
            status: status(fabric),
            cliqueId: fabric.clique,
            state: number(fabric.state),
            healthMask: mask,
            healthSummary: summary,
        }),
        form if form == second => info.cast().put(sys::nvmlGpuFabricInfo_v2_t {
            version: form,
            clusterUuid: fabric.cluster,
            status: status(fabric),
            cliqueId: fabric.clique,
            state: number(fabric.state),
            healthMask: mask,
        }),
        _ => Err(Code::ARGUMENT_VERSION_MISMATCH),
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

fn number(state: FabricState) -> sys::nvmlGpuFabricState_t {
    match state {
        FabricState::NotSupported => 0,
        FabricState::NotStarted => 1,
        FabricState::InProgress => 2,
        FabricState::Completed => 3,
    }
}

/// Mask and summary; nothing is said before the fabric is complete.
fn health(fabric: Fabric) -> (u32, u8) {
    match (fabric.state, fabric.failed) {
        (FabricState::Completed, false) => (HEALTHY, 1),
        (FabricState::Completed, true) => (UNHEALTHY, 2),
        (FabricState::NotSupported | FabricState::NotStarted | FabricState::InProgress, _) => (0, 0),
    }
}
