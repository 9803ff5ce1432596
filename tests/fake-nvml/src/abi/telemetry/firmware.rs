//! The firmware of the GPU's own processor (GSP).

use super::architecture;
use crate::{
    abi::{
        Uint,
        handle::Device,
        pointer::{Out, OutText},
    },
    export,
};

export! {
    /// Its version: the driver's.
    fn nvmlDeviceGetGspFirmwareVersion(device: Device, version: OutText) = node => {
        node.target(device)?.whole().since(architecture::TURING)?;
        let text = &node.state.driver.version;
        // The caller has room for 64 bytes, says NVML's contract.
        version.put(64, text)
    };

    /// Whether it runs, and whether it does by itself.
    fn nvmlDeviceGetGspFirmwareMode(device: Device, on: Out<Uint>, by_default: Out<Uint>) = node => {
        node.target(device)?.whole().since(architecture::TURING)?;
        on.put(1)?;
        by_default.put(1)
    };
}
