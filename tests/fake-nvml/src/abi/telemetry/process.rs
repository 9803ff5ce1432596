//! Processes on the GPU.

use nvml_wrapper_sys::bindings::{nvmlProcessInfo_t, nvmlProcessInfo_v1_t};

use crate::{
    abi::{
        Uint,
        code::{Answer, Code},
        handle::Device,
        node::{Node, Target},
        pointer::Out,
    },
    export,
};

/// Memory of a process that the driver doesn't know.
const UNKNOWN_MEMORY: u64 = u64::MAX;
/// Not in a MIG device.
const NO_INSTANCE: Uint = Uint::MAX;

export! {
    /// Those that compute.
    fn nvmlDeviceGetComputeRunningProcesses_v3 | nvmlDeviceGetComputeRunningProcesses_v2(device: Device, count: Out<Uint>, processes: Out<nvmlProcessInfo_t>) = node => {
        let infos = pids(node, device)?.map(|pid| nvmlProcessInfo_t {
            pid,
            usedGpuMemory: UNKNOWN_MEMORY,
            gpuInstanceId: NO_INSTANCE,
            computeInstanceId: NO_INSTANCE,
        });
        processes.list(count, &infos.collect::<Vec<_>>())
    };

    /// Those that compute, in the first form.
    fn nvmlDeviceGetComputeRunningProcesses(device: Device, count: Out<Uint>, processes: Out<nvmlProcessInfo_v1_t>) = node => {
        let infos = pids(node, device)?.map(|pid| nvmlProcessInfo_v1_t { pid, usedGpuMemory: UNKNOWN_MEMORY });
        processes.list(count, &infos.collect::<Vec<_>>())
    };

    /// Those that draw, and those of the MPS server: none.
    fn nvmlDeviceGetGraphicsRunningProcesses_v3
        | nvmlDeviceGetGraphicsRunningProcesses_v2
        | nvmlDeviceGetGraphicsRunningProcesses
        | nvmlDeviceGetMPSComputeRunningProcesses_v3
        | nvmlDeviceGetMPSComputeRunningProcesses_v2
        | nvmlDeviceGetMPSComputeRunningProcesses(device: Device, count: Out<Uint>, processes: Out<nvmlProcessInfo_t>) = node => {
        node.target(device)?;
        processes.list(count, &[])
    };

    /// Whether processes are accounted for after their end: no.
    fn nvmlDeviceGetAccountingMode(device: Device, mode: Out<Uint>) = node => {
        node.whole(device)?;
        mode.put(0)
    };

    /// How many would be.
    fn nvmlDeviceGetAccountingBufferSize(device: Device, size: Out<Uint>) = node => {
        node.whole(device)?;
        size.put(4000)
    };

    /// Which are: none.
    fn nvmlDeviceGetAccountingPids(device: Device, count: Out<Uint>, pids: Out<Uint>) = node => {
        node.whole(device)?;
        pids.list(count, &[])
    };
}

/// Processes are known of whole GPUs alone.
fn pids(node: &Node, device: Device) -> Answer<impl Iterator<Item = Uint>> {
    let pids: &[u32] = match node.target(device)? {
        Target::Whole(whole) => &whole.gpu.processes,
        Target::Slice(_) => &[],
    };
    Ok::<_, Code>(pids.iter().copied())
}
