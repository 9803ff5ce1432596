//! The PCIe link.

use crate::{
    abi::{Uint, code::Code, handle::Device, pointer::Out},
    export,
};

/// `NVML_BUS_TYPE_PCIE`.
const PCIE: Uint = 2;

export! {
    /// Generation of the link now, and the highest.
    fn nvmlDeviceGetCurrPcieLinkGeneration | nvmlDeviceGetMaxPcieLinkGeneration | nvmlDeviceGetGpuMaxPcieLinkGeneration(device: Device, generation: Out<Uint>) = node => {
        generation.put(node.whole(device)?.baseline()?.pcie_max_gen.ok_or(Code::NOT_SUPPORTED)?)
    };

    /// Lanes of the link now, and the most.
    fn nvmlDeviceGetCurrPcieLinkWidth | nvmlDeviceGetMaxPcieLinkWidth(device: Device, width: Out<Uint>) = node => {
        width.put(node.whole(device)?.baseline()?.pcie_max_width.ok_or(Code::NOT_SUPPORTED)?)
    };

    /// KB/s sent or received: an idle link.
    fn nvmlDeviceGetPcieThroughput(device: Device, counter: Uint, rate: Out<Uint>) = node => {
        node.whole(device)?;
        if counter > 1 {
            return Err(Code::INVALID_ARGUMENT);
        }
        rate.put(0)
    };

    /// Packets that were sent again.
    fn nvmlDeviceGetPcieReplayCounter(device: Device, count: Out<Uint>) = node => {
        count.put(node.whole(device)?.gpu.telemetry.pcie_replays)
    };

    /// Kind of bus.
    fn nvmlDeviceGetBusType(device: Device, bus: Out<Uint>) = node => {
        node.whole(device)?;
        bus.put(PCIE)
    };
}
