//! Confidential computing: off, and the links to Grace.

use nvml_wrapper_sys::bindings as sys;

use super::architecture;
use crate::{
    abi::{
        Uint,
        handle::Device,
        pointer::{Out, version},
    },
    export,
};

export! {
    /// Whether it is on: no.
    fn nvmlSystemGetConfComputeState(state: Out<sys::nvmlConfComputeSystemState_t>) = _node => {
        state.put(sys::nvmlConfComputeSystemState_t { environment: 0, ccFeature: 0, devToolsMode: 0 })
    };

    /// As above, with more room.
    fn nvmlSystemGetConfComputeSettings(settings: Out<sys::nvmlSystemConfComputeSettings_v1_t>) = _node => {
        let form = version::<sys::nvmlSystemConfComputeSettings_v1_t>(1);
        settings.get_versioned(form)?;
        settings.put(sys::nvmlSystemConfComputeSettings_v1_t {
            version: form,
            environment: 0,
            ccFeature: 0,
            devToolsMode: 0,
            multiGpuMode: 0,
        })
    };

    /// What processor and GPUs could do: nothing.
    fn nvmlSystemGetConfComputeCapabilities(capabilities: Out<sys::nvmlConfComputeSystemCaps_t>) = _node => {
        capabilities.put(sys::nvmlConfComputeSystemCaps_t { cpuCaps: 0, gpusCaps: 0 })
    };

    /// Whether GPUs take work in confidential mode: not in force.
    fn nvmlSystemGetConfComputeGpusReadyState(ready: Out<Uint>) = _node => {
        ready.put(0)
    };

    /// Memory by protection, in KiB: all of it without.
    fn nvmlDeviceGetConfComputeMemSizeInfo(device: Device, sizes: Out<sys::nvmlConfComputeMemSizeInfo_t>) = node => {
        let whole = node.whole(device)?;
        whole.since(architecture::HOPPER)?;
        sizes.put(sys::nvmlConfComputeMemSizeInfo_t {
            protectedMemSizeKib: 0,
            unprotectedMemSizeKib: whole.product.memory_mib << 10,
        })
    };

    /// Protected memory: none.
    fn nvmlDeviceGetConfComputeProtectedMemoryUsage(device: Device, memory: Out<sys::nvmlMemory_t>) = node => {
        node.whole(device)?.since(architecture::HOPPER)?;
        memory.put(sys::nvmlMemory_t { total: 0, free: 0, used: 0 })
    };

    /// Whether the coherent link to the processor is on.
    fn nvmlDeviceGetC2cModeInfoV(device: Device, mode: Out<sys::nvmlC2cModeInfo_v1_t>) = node => {
        let whole = node.whole(device)?;
        whole.since(architecture::HOPPER)?;
        mode.put(sys::nvmlC2cModeInfo_v1_t { isC2cEnabled: whole.product.coherent.into() })
    };
}
