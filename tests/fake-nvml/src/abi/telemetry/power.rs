//! Power drawn and its limit, in mW.

use nvml_wrapper_sys::bindings as sys;

use crate::{
    abi::{
        Uint,
        code::{Answer, Code},
        handle::Device,
        node::{Node, Whole},
        pointer::{Out, version},
    },
    export,
    profiles::file::PowerLimits,
};

export! {
    /// Drawn now.
    fn nvmlDeviceGetPowerUsage(device: Device, power: Out<Uint>) = node => {
        power.put(node.whole(device)?.gpu.telemetry.power_mw)
    };

    /// Used since the driver was loaded, in mJ.
    fn nvmlDeviceGetTotalEnergyConsumption(device: Device, energy: Out<u64>) = node => {
        energy.put(node.whole(device)?.gpu.telemetry.energy_mj)
    };

    /// Whether power is limited: always, where a limit is known.
    fn nvmlDeviceGetPowerManagementMode(device: Device, mode: Out<Uint>) = node => {
        seen(node.whole(device)?)?;
        mode.put(1)
    };

    /// The limit in force.
    fn nvmlDeviceGetPowerManagementLimit | nvmlDeviceGetEnforcedPowerLimit(device: Device, limit: Out<Uint>) = node => {
        limit.put(in_force(node.whole(device)?)?)
    };

    /// The board's own limit.
    fn nvmlDeviceGetPowerManagementDefaultLimit(device: Device, limit: Out<Uint>) = node => {
        limit.put(seen(node.whole(device)?)?.default * 1000)
    };

    /// Lowest and highest limit that can be set.
    fn nvmlDeviceGetPowerManagementLimitConstraints(device: Device, lowest: Out<Uint>, highest: Out<Uint>) = node => {
        let (low, high) = range(seen(node.whole(device)?)?);
        lowest.put(low)?;
        highest.put(high)
    };

    /// Sets the limit.
    fn nvmlDeviceSetPowerManagementLimit(device: Device, limit: Uint) = node => {
        set(node, device, limit)
    };

    /// Sets the limit of the GPU, the one scope that there is.
    fn nvmlDeviceSetPowerManagementLimit_v2(device: Device, power: Out<sys::nvmlPowerValue_v2_t>) = node => {
        set(node, device, power.get_versioned(version::<sys::nvmlPowerValue_v2_t>(2))?.powerValueMw)
    };

    /// Mains.
    fn nvmlDeviceGetPowerSource(device: Device, source: Out<Uint>) = node => {
        node.whole(device)?;
        source.put(0)
    };
}

fn set(node: &Node, device: Device, limit: Uint) -> Answer {
    let whole = node.whole(device)?;
    let (low, high) = range(seen(whole)?);
    if !(low..=high).contains(&limit) {
        return Err(Code::INVALID_ARGUMENT);
    }
    node.set(whole.gpu.minor, |gpu| gpu.telemetry.power_limit_mw = Some(limit))
}

pub(super) fn seen(whole: Whole<'_>) -> Answer<PowerLimits> {
    whole.baseline()?.power_limit_w.ok_or(Code::NOT_SUPPORTED)
}

pub(super) fn in_force(whole: Whole<'_>) -> Answer<Uint> {
    let own = seen(whole)?.default * 1000;
    Ok(whole.gpu.telemetry.power_limit_mw.unwrap_or(own))
}

pub(super) fn range(limits: PowerLimits) -> (Uint, Uint) {
    (limits.min.unwrap_or(limits.default) * 1000, limits.max.unwrap_or(limits.default) * 1000)
}
