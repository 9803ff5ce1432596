//! Field values: single figures by number.
#![expect(clippy::disallowed_methods, reason = "a value bears the time at which it was taken")]

use std::time::SystemTime;

use nvml_wrapper_sys::bindings::{self as sys, field_id as id, nvmlFieldValue_t, nvmlValue_t};

use super::{ecc, nvlink, power, thermal};
use crate::{
    abi::{
        Uint,
        code::{Answer, Code},
        handle::Device,
        node::Whole,
        pointer::Out,
    },
    export,
    profiles::file::TemperatureThresholds,
    state::GpuFault,
};

/// Corrected and uncorrected, since the driver was loaded and in the board's life.
const CORRECTED: Uint = sys::nvmlMemoryErrorType_enum_NVML_MEMORY_ERROR_TYPE_CORRECTED;
const UNCORRECTED: Uint = sys::nvmlMemoryErrorType_enum_NVML_MEMORY_ERROR_TYPE_UNCORRECTED;
const VOLATILE: Uint = sys::nvmlEccCounterType_enum_NVML_VOLATILE_ECC;
const AGGREGATE: Uint = sys::nvmlEccCounterType_enum_NVML_AGGREGATE_ECC;
const DRAM: Uint = sys::nvmlMemoryLocation_enum_NVML_MEMORY_LOCATION_DRAM;

/// Of power, other scopes than the GPU (its module, its memory) are not told.
const POWER: [Uint; 7] = [
    id::NVML_FI_DEV_POWER_AVERAGE,
    id::NVML_FI_DEV_POWER_INSTANT,
    id::NVML_FI_DEV_POWER_MIN_LIMIT,
    id::NVML_FI_DEV_POWER_MAX_LIMIT,
    id::NVML_FI_DEV_POWER_DEFAULT_LIMIT,
    id::NVML_FI_DEV_POWER_CURRENT_LIMIT,
    id::NVML_FI_DEV_POWER_REQUESTED_LIMIT,
];

/// More fields than this are asked for by mistake.
const MOST: i32 = 4096;

export! {
    /// Fills in so many values, each with a code of its own.
    fn nvmlDeviceGetFieldValues(device: Device, count: std::ffi::c_int, values: Out<nvmlFieldValue_t>) = node => {
        let whole = node.target(device)?.whole();
        if !(1..=MOST).contains(&count) {
            return Err(Code::INVALID_ARGUMENT);
        }
        let now = microseconds();
        let mut all = values.get_all(usize::try_from(count).unwrap_or(0))?;
        all.iter_mut().for_each(|value| fill(whole, value, now));
        values.put_all(&all)
    };
}

fn fill(whole: Whole<'_>, value: &mut nvmlFieldValue_t, now: i64) {
    value.timestamp = now;
    value.latencyUsec = 0;
    value.nvmlReturn = sys::nvmlReturn_enum_NVML_SUCCESS;
    match figure(whole, value.fieldId, value.scopeId) {
        Ok(Figure::Unsigned(figure)) => {
            value.valueType = sys::nvmlValueType_enum_NVML_VALUE_TYPE_UNSIGNED_INT;
            value.value = nvmlValue_t { ullVal: figure.into() };
        }
        Ok(Figure::Long(figure)) => {
            value.valueType = sys::nvmlValueType_enum_NVML_VALUE_TYPE_UNSIGNED_LONG_LONG;
            value.value = nvmlValue_t { ullVal: figure };
        }
        Ok(Figure::Signed(figure)) => {
            value.valueType = sys::nvmlValueType_enum_NVML_VALUE_TYPE_SIGNED_INT;
            value.value = nvmlValue_t { siVal: figure };
        }
        Err(Code(code)) => value.nvmlReturn = code,
    }
}

/// A figure with its type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Figure {
    Unsigned(u32),
    Long(u64),
    Signed(i32),
}

fn figure(whole: Whole<'_>, field: Uint, scope: Uint) -> Answer<Figure> {
    if scope != 0 && POWER.contains(&field) {
        return Err(Code::NOT_SUPPORTED);
    }
    errors(whole, field)
        .or_else(|| memory(whole, field))
        .or_else(|| power_and_heat(whole, field))
        .or_else(|| links(whole, field))
        .unwrap_or(Err(Code::NOT_SUPPORTED))
}

fn errors(whole: Whole<'_>, field: Uint) -> Option<Answer<Figure>> {
    let (kind, since, is_dram) = match field {
        id::NVML_FI_DEV_ECC_SBE_VOL_TOTAL => (CORRECTED, VOLATILE, false),
        id::NVML_FI_DEV_ECC_DBE_VOL_TOTAL => (UNCORRECTED, VOLATILE, false),
        id::NVML_FI_DEV_ECC_SBE_AGG_TOTAL => (CORRECTED, AGGREGATE, false),
        id::NVML_FI_DEV_ECC_DBE_AGG_TOTAL => (UNCORRECTED, AGGREGATE, false),
        id::NVML_FI_DEV_ECC_SBE_VOL_DEV => (CORRECTED, VOLATILE, true),
        id::NVML_FI_DEV_ECC_DBE_VOL_DEV => (UNCORRECTED, VOLATILE, true),
        id::NVML_FI_DEV_ECC_SBE_AGG_DEV => (CORRECTED, AGGREGATE, true),
        id::NVML_FI_DEV_ECC_DBE_AGG_DEV => (UNCORRECTED, AGGREGATE, true),
        _ => return None,
    };
    let count = if is_dram { ecc::at(whole, kind, since, DRAM) } else { ecc::total(whole, kind, since) };
    Some(count.map(Figure::Long))
}

fn memory(whole: Whole<'_>, field: Uint) -> Option<Answer<Figure>> {
    let mode = |pending: bool| {
        let ecc = whole.gpu.ecc.ok_or(Code::NOT_SUPPORTED)?;
        Ok(Figure::Unsigned(if pending { ecc.pending } else { ecc.current }.into()))
    };
    let rows = |figure: u32| {
        whole.since(super::architecture::AMPERE)?;
        whole.gpu.ecc.ok_or(Code::NOT_SUPPORTED)?;
        Ok(Figure::Unsigned(figure))
    };
    let remapped = whole.gpu.telemetry.remapped_rows;
    Some(match field {
        id::NVML_FI_DEV_ECC_CURRENT => mode(false),
        id::NVML_FI_DEV_ECC_PENDING => mode(true),
        id::NVML_FI_DEV_REMAPPED_COR => rows(remapped.correctable),
        id::NVML_FI_DEV_REMAPPED_UNC => rows(remapped.uncorrectable),
        id::NVML_FI_DEV_REMAPPED_PENDING => rows(remapped.pending.into()),
        id::NVML_FI_DEV_REMAPPED_FAILURE => rows(remapped.failure.into()),
        id::NVML_FI_DEV_RESET_STATUS | id::NVML_FI_DEV_DRAIN_AND_RESET_STATUS => {
            Ok(Figure::Unsigned((whole.gpu.fault == GpuFault::ResetRequired).into()))
        }
        id::NVML_FI_DEV_GET_GPU_RECOVERY_ACTION => {
            Ok(Figure::Unsigned((whole.gpu.fault == GpuFault::ResetRequired).into()))
        }
        id::NVML_FI_DEV_IS_RESETLESS_MIG_SUPPORTED => {
            whole.layout().map(|layout| Figure::Unsigned((!layout.mode_needs_reset).into()))
        }
        id::NVML_FI_DEV_IS_MIG_MODE_INDEPENDENT_MIG_QUERY_CAPABLE => {
            whole.layout().map(|_| Figure::Unsigned(1))
        }
        _ => return None,
    })
}

fn power_and_heat(whole: Whole<'_>, field: Uint) -> Option<Answer<Figure>> {
    let limit =
        |pick: fn((Uint, Uint)) -> Uint| power::seen(whole).map(power::range).map(pick).map(Figure::Unsigned);
    let distance = |pick: fn(&TemperatureThresholds) -> Option<i32>| {
        thermal::distances(whole).and_then(|seen| pick(seen).ok_or(Code::NOT_SUPPORTED)).map(Figure::Signed)
    };
    Some(match field {
        id::NVML_FI_DEV_TOTAL_ENERGY_CONSUMPTION => Ok(Figure::Long(whole.gpu.telemetry.energy_mj)),
        id::NVML_FI_DEV_POWER_AVERAGE | id::NVML_FI_DEV_POWER_INSTANT => {
            Ok(Figure::Unsigned(whole.gpu.telemetry.power_mw))
        }
        id::NVML_FI_DEV_POWER_MIN_LIMIT => limit(|(low, _)| low),
        id::NVML_FI_DEV_POWER_MAX_LIMIT => limit(|(_, high)| high),
        id::NVML_FI_DEV_POWER_DEFAULT_LIMIT => {
            power::seen(whole).map(|seen| Figure::Unsigned(seen.default * 1000))
        }
        id::NVML_FI_DEV_POWER_CURRENT_LIMIT | id::NVML_FI_DEV_POWER_REQUESTED_LIMIT => {
            power::in_force(whole).map(Figure::Unsigned)
        }
        id::NVML_FI_DEV_TEMPERATURE_SHUTDOWN_TLIMIT => distance(|seen| seen.shutdown),
        id::NVML_FI_DEV_TEMPERATURE_SLOWDOWN_TLIMIT => distance(|seen| seen.slowdown),
        id::NVML_FI_DEV_TEMPERATURE_GPU_MAX_TLIMIT => distance(|seen| seen.max_operating),
        _ => return None,
    })
}

fn links(whole: Whole<'_>, field: Uint) -> Option<Answer<Figure>> {
    let count = whole.product.nvlink_links;
    let linked =
        |figure: u32| if count > 0 { Ok(Figure::Unsigned(figure)) } else { Err(Code::NOT_SUPPORTED) };
    Some(match field {
        id::NVML_FI_DEV_NVLINK_LINK_COUNT => Ok(Figure::Unsigned(count)),
        id::NVML_FI_DEV_NVLINK_SPEED_MBPS_COMMON | id::NVML_FI_DEV_NVLINK_GET_SPEED => {
            linked(nvlink::speed_of(whole))
        }
        id::NVML_FI_DEV_NVLINK_GET_VERSION => linked(nvlink::version_of(whole)),
        id::NVML_FI_DEV_NVLINK_GET_STATE => linked((!whole.gpu.telemetry.nvlink_down).into()),
        id::NVML_FI_DEV_PCIE_REPLAY_COUNTER => Ok(Figure::Unsigned(whole.gpu.telemetry.pcie_replays)),
        _ => return None,
    })
}

fn microseconds() -> i64 {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    i64::try_from(now.as_micros()).unwrap_or(i64::MAX)
}
