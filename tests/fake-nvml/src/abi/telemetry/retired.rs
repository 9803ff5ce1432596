//! Pages of memory taken out of use: boards before Ampere. None are.

use super::architecture;
use crate::{
    abi::{
        Uint,
        code::{Answer, Code},
        handle::Device,
        node::Node,
        pointer::Out,
    },
    export,
};

/// Causes: several corrected errors, or one that was not.
const CAUSES: Uint = 2;

export! {
    /// Addresses.
    fn nvmlDeviceGetRetiredPages(device: Device, cause: Uint, count: Out<Uint>, addresses: Out<u64>) = node => {
        retiring(node, device, cause)?;
        addresses.list(count, &[])
    };

    /// Addresses and times.
    fn nvmlDeviceGetRetiredPages_v2(device: Device, cause: Uint, count: Out<Uint>, addresses: Out<u64>, times: Out<u64>) = node => {
        retiring(node, device, cause)?;
        times.put_all(&[])?;
        addresses.list(count, &[])
    };

    /// Whether one waits for a reset.
    fn nvmlDeviceGetRetiredPagesPendingStatus(device: Device, pending: Out<Uint>) = node => {
        retiring(node, device, 0)?;
        pending.put(0)
    };
}

fn retiring(node: &Node, device: Device, cause: Uint) -> Answer {
    let whole = node.whole(device)?;
    if whole.product.architecture >= architecture::AMPERE || whole.gpu.ecc.is_none() {
        return Err(Code::NOT_SUPPORTED);
    }
    if cause < CAUSES { Ok(()) } else { Err(Code::INVALID_ARGUMENT) }
}
