//! Temperatures and fans.

use std::ffi::c_int;

use nvml_wrapper_sys::bindings as sys;

use crate::{
    abi::{
        Uint,
        code::{Answer, Code},
        handle::Device,
        node::Whole,
        pointer::{Out, version},
    },
    export,
    profiles::file::TemperatureThresholds,
};

/// PCI class of a board with displays: those have fans, the others sit in the server's stream of air.
const DISPLAY: u32 = 0x0300;
/// Fans of a board that has some.
const FANS: Uint = 2;
/// Their speed when idle, in percent.
const FAN_SPEED: Uint = 30;
/// Where a board slows down that tells only distances, in degrees Celsius.
const LIMIT: c_int = 87;

export! {
    /// Of the chip, the one sensor that all boards have, in degrees Celsius.
    fn nvmlDeviceGetTemperature(device: Device, sensor: Uint, temperature: Out<Uint>) = node => {
        let whole = node.whole(device)?;
        chip(sensor)?;
        temperature.put(whole.gpu.telemetry.temperature_c)
    };

    /// As above.
    fn nvmlDeviceGetTemperatureV(device: Device, temperature: Out<sys::nvmlTemperature_v1_t>) = node => {
        let mut answer = temperature.get_versioned(version::<sys::nvmlTemperature_v1_t>(1))?;
        let whole = node.whole(device)?;
        chip(answer.sensorType)?;
        answer.temperature = degrees(whole);
        temperature.put(answer)
    };

    /// Distance from where the board slows down.
    fn nvmlDeviceGetMarginTemperature(device: Device, margin: Out<sys::nvmlMarginTemperature_v1_t>) = node => {
        let mut answer = margin.get_versioned(version::<sys::nvmlMarginTemperature_v1_t>(1))?;
        answer.marginTemperature = distance(node.whole(device)?)?;
        margin.put(answer)
    };

    /// A threshold; a board that tells distances has them as field values alone.
    fn nvmlDeviceGetTemperatureThreshold(device: Device, which: Uint, threshold: Out<Uint>) = node => {
        let seen = thresholds(node.whole(device)?)?;
        if tells_distances(seen) {
            return Err(Code::NOT_SUPPORTED);
        }
        let value = match which {
            sys::nvmlTemperatureThresholds_enum_NVML_TEMPERATURE_THRESHOLD_SHUTDOWN => seen.shutdown,
            sys::nvmlTemperatureThresholds_enum_NVML_TEMPERATURE_THRESHOLD_SLOWDOWN => seen.slowdown,
            sys::nvmlTemperatureThresholds_enum_NVML_TEMPERATURE_THRESHOLD_GPU_MAX => seen.max_operating,
            which if which < sys::nvmlTemperatureThresholds_enum_NVML_TEMPERATURE_THRESHOLD_COUNT => None,
            _ => return Err(Code::INVALID_ARGUMENT),
        };
        threshold.put(value.and_then(|value| Uint::try_from(value).ok()).ok_or(Code::NOT_SUPPORTED)?)
    };

    /// Speed of the fans, in percent.
    fn nvmlDeviceGetFanSpeed(device: Device, speed: Out<Uint>) = node => {
        fans(node.whole(device)?)?;
        speed.put(FAN_SPEED)
    };

    /// Speed of one fan, in percent.
    fn nvmlDeviceGetFanSpeed_v2 | nvmlDeviceGetTargetFanSpeed(device: Device, fan: Uint, speed: Out<Uint>) = node => {
        if fan >= fans(node.whole(device)?)? {
            return Err(Code::INVALID_ARGUMENT);
        }
        speed.put(FAN_SPEED)
    };

    /// Number of fans.
    fn nvmlDeviceGetNumFans(device: Device, count: Out<Uint>) = node => {
        count.put(fans(node.whole(device)?).unwrap_or(0))
    };
}

fn chip(sensor: Uint) -> Answer {
    if sensor == 0 { Ok(()) } else { Err(Code::INVALID_ARGUMENT) }
}

fn fans(whole: Whole<'_>) -> Answer<Uint> {
    if whole.product.pci_class == DISPLAY { Ok(FANS) } else { Err(Code::NOT_SUPPORTED) }
}

fn degrees(whole: Whole<'_>) -> c_int {
    c_int::try_from(whole.gpu.telemetry.temperature_c).unwrap_or(c_int::MAX)
}

fn thresholds(whole: Whole<'_>) -> Answer<&TemperatureThresholds> {
    whole.baseline()?.temperature_thresholds_c.as_ref().ok_or(Code::NOT_SUPPORTED)
}

/// Thresholds of a board that tells distances from its limit.
pub(super) fn distances(whole: Whole<'_>) -> Answer<&TemperatureThresholds> {
    thresholds(whole).and_then(|seen| if tells_distances(seen) { Ok(seen) } else { Err(Code::NOT_SUPPORTED) })
}

/// How far the chip is from its limit.
pub(in crate::abi) fn distance(whole: Whole<'_>) -> Answer<c_int> {
    distances(whole)?;
    Ok(LIMIT - degrees(whole))
}

fn tells_distances(seen: &TemperatureThresholds) -> bool {
    seen.kind == "t.limit"
}
