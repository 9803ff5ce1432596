//! Memory errors.

use nvml_wrapper_sys::bindings as sys;

use super::architecture;
use crate::{
    abi::{
        Uint,
        code::{Answer, Code},
        handle::Device,
        node::Whole,
        pointer::{Out, version},
    },
    export,
    state::EccCounts,
};

export! {
    /// All errors of a kind.
    fn nvmlDeviceGetTotalEccErrors(device: Device, kind: Uint, since: Uint, count: Out<u64>) = node => {
        count.put(total(node.target(device)?.whole(), kind, since)?)
    };

    /// Errors of a kind at a place.
    fn nvmlDeviceGetMemoryErrorCounter(device: Device, kind: Uint, since: Uint, place: Uint, count: Out<u64>) = node => {
        count.put(at(node.target(device)?.whole(), kind, since, place)?)
    };

    /// Errors of a kind at the places of old.
    fn nvmlDeviceGetDetailedEccErrors(device: Device, kind: Uint, since: Uint, counts: Out<sys::nvmlEccErrorCounts_t>) = node => {
        let whole = node.target(device)?.whole();
        let at = |place| at(whole, kind, since, place).unwrap_or(0);
        total(whole, kind, since)?;
        counts.put(sys::nvmlEccErrorCounts_t {
            l1Cache: at(sys::nvmlMemoryLocation_enum_NVML_MEMORY_LOCATION_L1_CACHE),
            l2Cache: at(sys::nvmlMemoryLocation_enum_NVML_MEMORY_LOCATION_L2_CACHE),
            deviceMemory: at(sys::nvmlMemoryLocation_enum_NVML_MEMORY_LOCATION_DRAM),
            registerFile: at(sys::nvmlMemoryLocation_enum_NVML_MEMORY_LOCATION_REGISTER_FILE),
        })
    };

    /// Errors in caches and registers.
    fn nvmlDeviceGetSramEccErrorStatus(device: Device, status: Out<sys::nvmlEccSramErrorStatus_t>) = node => {
        let form = version::<sys::nvmlEccSramErrorStatus_t>(1);
        status.get_versioned(form)?;
        let whole = node.target(device)?.whole();
        counting(whole)?;
        whole.since(architecture::AMPERE)?;
        let sram = whole.gpu.telemetry.ecc_errors.sram;
        status.put(sys::nvmlEccSramErrorStatus_t {
            version: form,
            aggregateUncParity: 0,
            aggregateUncSecDed: sram.aggregate_uncorrected,
            aggregateCor: sram.aggregate_corrected,
            volatileUncParity: 0,
            volatileUncSecDed: sram.volatile_uncorrected,
            volatileCor: sram.volatile_corrected,
            aggregateUncBucketL2: sram.aggregate_uncorrected,
            aggregateUncBucketSm: 0,
            aggregateUncBucketPcie: 0,
            aggregateUncBucketMcu: 0,
            aggregateUncBucketOther: 0,
            bThresholdExceeded: 0,
        })
    };

    /// Sets counters to zero.
    fn nvmlDeviceClearEccErrorCounts(device: Device, since: Uint) = node => {
        let whole = node.whole(device)?;
        counting(whole)?;
        span(since)?;
        node.set(whole.gpu.minor, |gpu| {
            let errors = &mut gpu.telemetry.ecc_errors;
            [&mut errors.dram, &mut errors.sram].into_iter().for_each(|counts| clear(counts, since));
        })
    };
}

fn counting(whole: Whole<'_>) -> Answer {
    let on = whole.gpu.ecc.is_some_and(|ecc| ecc.current);
    if on { Ok(()) } else { Err(Code::NOT_SUPPORTED) }
}

fn span(since: Uint) -> Answer {
    if since < sys::nvmlEccCounterType_enum_NVML_ECC_COUNTER_TYPE_COUNT {
        Ok(())
    } else {
        Err(Code::INVALID_ARGUMENT)
    }
}

fn clear(counts: &mut EccCounts, since: Uint) {
    *counts = match since {
        sys::nvmlEccCounterType_enum_NVML_VOLATILE_ECC => {
            EccCounts { volatile_corrected: 0, volatile_uncorrected: 0, ..*counts }
        }
        _ => EccCounts { aggregate_corrected: 0, aggregate_uncorrected: 0, ..*counts },
    };
}

/// All errors of a kind.
pub(super) fn total(whole: Whole<'_>, kind: Uint, since: Uint) -> Answer<u64> {
    counting(whole)?;
    let errors = whole.gpu.telemetry.ecc_errors;
    Ok(pick(errors.dram, kind, since)? + pick(errors.sram, kind, since)?)
}

/// Errors of a kind at a place: newer boards tell memory and caches apart, older ones each cache.
pub(super) fn at(whole: Whole<'_>, kind: Uint, since: Uint, place: Uint) -> Answer<u64> {
    counting(whole)?;
    let errors = whole.gpu.telemetry.ecc_errors;
    match place {
        sys::nvmlMemoryLocation_enum_NVML_MEMORY_LOCATION_DRAM => pick(errors.dram, kind, since),
        sys::nvmlMemoryLocation_enum_NVML_MEMORY_LOCATION_SRAM => {
            whole.since(architecture::TURING)?;
            pick(errors.sram, kind, since)
        }
        place if place < sys::nvmlMemoryLocation_enum_NVML_MEMORY_LOCATION_SRAM => {
            pick(EccCounts::default(), kind, since)?;
            if whole.product.architecture <= architecture::VOLTA { Ok(0) } else { Err(Code::NOT_SUPPORTED) }
        }
        _ => Err(Code::INVALID_ARGUMENT),
    }
}

fn pick(counts: EccCounts, kind: Uint, since: Uint) -> Answer<u64> {
    span(since)?;
    let is_volatile = since == sys::nvmlEccCounterType_enum_NVML_VOLATILE_ECC;
    match (kind, is_volatile) {
        (sys::nvmlMemoryErrorType_enum_NVML_MEMORY_ERROR_TYPE_CORRECTED, true) => {
            Ok(counts.volatile_corrected)
        }
        (sys::nvmlMemoryErrorType_enum_NVML_MEMORY_ERROR_TYPE_CORRECTED, false) => {
            Ok(counts.aggregate_corrected)
        }
        (sys::nvmlMemoryErrorType_enum_NVML_MEMORY_ERROR_TYPE_UNCORRECTED, true) => {
            Ok(counts.volatile_uncorrected)
        }
        (sys::nvmlMemoryErrorType_enum_NVML_MEMORY_ERROR_TYPE_UNCORRECTED, false) => {
            Ok(counts.aggregate_uncorrected)
        }
        _ => Err(Code::INVALID_ARGUMENT),
    }
}
