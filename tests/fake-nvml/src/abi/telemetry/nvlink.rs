//! `NVLink`: links to switches or other GPUs.

use super::architecture;
use crate::{
    abi::{
        Uint,
        code::{Answer, Code},
        handle::Device,
        node::{Node, Whole},
        pointer::Out,
    },
    export,
};

/// Most links that NVML counts.
const MOST: Uint = 18;
/// Capabilities that NVML counts.
const CAPABILITIES: Uint = 6;
/// `NVML_NVLINK_DEVICE_TYPE_*`.
const TO_GPU: Uint = 0;
const TO_SWITCH: Uint = 2;

export! {
    /// Whether a link is up.
    fn nvmlDeviceGetNvLinkState(device: Device, link: Uint, up: Out<Uint>) = node => {
        let whole = linked(node, device, link)?;
        up.put((!whole.gpu.telemetry.nvlink_down).into())
    };

    /// `nvmlNvlinkVersion_t`: 2.0 is 2, 3.0 is 4, 4.0 is 6, 5.0 is 7.
    fn nvmlDeviceGetNvLinkVersion(device: Device, link: Uint, version: Out<Uint>) = node => {
        version.put(version_of(linked(node, device, link)?))
    };

    /// What can be done over a link: all but a bridge of old.
    fn nvmlDeviceGetNvLinkCapability(device: Device, link: Uint, capability: Uint, can: Out<Uint>) = node => {
        linked(node, device, link)?;
        match capability {
            4 => can.put(0),
            capability if capability < CAPABILITIES => can.put(1),
            _ => Err(Code::INVALID_ARGUMENT),
        }
    };

    /// What is at the other end.
    fn nvmlDeviceGetNvLinkRemoteDeviceType(device: Device, link: Uint, kind: Out<Uint>) = node => {
        kind.put(if linked(node, device, link)?.product.fabric { TO_SWITCH } else { TO_GPU })
    };

    /// Errors of a link: none.
    fn nvmlDeviceGetNvLinkErrorCounter(device: Device, link: Uint, counter: Uint, count: Out<u64>) = node => {
        linked(node, device, link)?;
        if counter > 4 {
            return Err(Code::INVALID_ARGUMENT);
        }
        count.put(0)
    };
}

fn linked(node: &Node, device: Device, link: Uint) -> Answer<Whole<'_>> {
    let whole = node.whole(device)?;
    match link {
        link if link < whole.product.nvlink_links => Ok(whole),
        link if link < MOST => Err(Code::NOT_SUPPORTED),
        _ => Err(Code::INVALID_ARGUMENT),
    }
}

pub(super) fn version_of(whole: Whole<'_>) -> Uint {
    match whole.product.architecture {
        ..architecture::AMPERE => 2,
        architecture::AMPERE..architecture::HOPPER => 4,
        architecture::HOPPER => 6,
        _ => 7,
    }
}

/// Speed of a link, in MB/s, each way.
pub(super) fn speed_of(whole: Whole<'_>) -> Uint {
    match whole.product.architecture {
        ..architecture::AMPERE => 25_781,
        architecture::AMPERE..=architecture::HOPPER => 26_562,
        _ => 53_125,
    }
}
