//! Clocks, performance state, and why clocks are low.

use nvml_wrapper_sys::bindings as sys;

use crate::{
    abi::{
        Uint,
        code::{Answer, Code},
        handle::Device,
        node::Whole,
        pointer::Out,
    },
    export,
    profiles::file::Clocks,
};

/// Clock of an idle chip, in MHz.
const IDLE: u32 = 345;
/// Lowest graphics clock that can be chosen, in MHz.
const LOWEST: u32 = 210;
/// Between two graphics clocks that can be chosen, in MHz.
const STEP: usize = 15;
/// Every reason that a driver gives for low clocks.
const REASONS: u64 = 0x1ff;

export! {
    /// The clock now, in MHz.
    fn nvmlDeviceGetClockInfo(device: Device, kind: Uint, clock: Out<Uint>) = node => {
        clock.put(now(node.whole(device)?, kind)?)
    };

    /// The highest clock, in MHz.
    fn nvmlDeviceGetMaxClockInfo | nvmlDeviceGetMaxCustomerBoostClock(device: Device, kind: Uint, clock: Out<Uint>) = node => {
        clock.put(highest(node.whole(device)?, kind)?)
    };

    /// The clock for applications, in MHz.
    fn nvmlDeviceGetApplicationsClock(device: Device, kind: Uint, clock: Out<Uint>) = node => {
        clock.put(application(node.whole(device)?, kind)?)
    };

    /// The clock for applications without a wish of the user, in MHz.
    fn nvmlDeviceGetDefaultApplicationsClock(device: Device, kind: Uint, clock: Out<Uint>) = node => {
        clock.put(highest(node.whole(device)?, kind)?)
    };

    /// One of the above.
    fn nvmlDeviceGetClock(device: Device, kind: Uint, which: Uint, clock: Out<Uint>) = node => {
        let whole = node.whole(device)?;
        clock.put(match which {
            sys::nvmlClockId_enum_NVML_CLOCK_ID_CURRENT => now(whole, kind)?,
            sys::nvmlClockId_enum_NVML_CLOCK_ID_APP_CLOCK_TARGET => application(whole, kind)?,
            sys::nvmlClockId_enum_NVML_CLOCK_ID_APP_CLOCK_DEFAULT
            | sys::nvmlClockId_enum_NVML_CLOCK_ID_CUSTOMER_BOOST_MAX => highest(whole, kind)?,
            _ => return Err(Code::INVALID_ARGUMENT),
        })
    };

    /// Memory clocks that can be chosen.
    fn nvmlDeviceGetSupportedMemoryClocks(device: Device, count: Out<Uint>, clocks: Out<Uint>) = node => {
        clocks.list(count, &[highest(node.whole(device)?, sys::nvmlClockType_enum_NVML_CLOCK_MEM)?])
    };

    /// Graphics clocks that can be chosen at a memory clock, the highest first.
    fn nvmlDeviceGetSupportedGraphicsClocks(device: Device, memory: Uint, count: Out<Uint>, clocks: Out<Uint>) = node => {
        let whole = node.whole(device)?;
        if memory != highest(whole, sys::nvmlClockType_enum_NVML_CLOCK_MEM)? {
            return Err(Code::NOT_FOUND);
        }
        clocks.list(count, &choices(highest(whole, sys::nvmlClockType_enum_NVML_CLOCK_GRAPHICS)?))
    };

    /// Chooses the clocks for applications.
    fn nvmlDeviceSetApplicationsClocks(device: Device, memory: Uint, graphics: Uint) = node => {
        let whole = node.whole(device)?;
        let is_choice = memory == highest(whole, sys::nvmlClockType_enum_NVML_CLOCK_MEM)?
            && choices(highest(whole, sys::nvmlClockType_enum_NVML_CLOCK_GRAPHICS)?).contains(&graphics);
        if !is_choice {
            return Err(Code::INVALID_ARGUMENT);
        }
        node.set(whole.gpu.minor, |gpu| gpu.telemetry.application_clocks = Some((memory, graphics)))
    };

    /// Back to the board's own clocks.
    fn nvmlDeviceResetApplicationsClocks(device: Device) = node => {
        node.set(node.whole(device)?.gpu.minor, |gpu| gpu.telemetry.application_clocks = None)
    };

    /// Why the clocks are low, as bits.
    fn nvmlDeviceGetCurrentClocksThrottleReasons | nvmlDeviceGetCurrentClocksEventReasons(device: Device, reasons: Out<u64>) = node => {
        reasons.put(node.target(device)?.whole().gpu.telemetry.clock_reasons)
    };

    /// What can be said of it.
    fn nvmlDeviceGetSupportedClocksThrottleReasons | nvmlDeviceGetSupportedClocksEventReasons(device: Device, reasons: Out<u64>) = node => {
        node.target(device)?;
        reasons.put(REASONS)
    };

    /// Performance state.
    fn nvmlDeviceGetPerformanceState | nvmlDeviceGetPowerState(device: Device, state: Out<Uint>) = node => {
        state.put(node.target(device)?.whole().gpu.telemetry.performance_state)
    };
}

fn seen(whole: Whole<'_>) -> Answer<Clocks> {
    whole.baseline()?.max_clock_mhz.ok_or(Code::NOT_SUPPORTED)
}

fn highest(whole: Whole<'_>, kind: Uint) -> Answer<Uint> {
    let clocks = seen(whole)?;
    let clock = match kind {
        sys::nvmlClockType_enum_NVML_CLOCK_GRAPHICS => clocks.graphics,
        sys::nvmlClockType_enum_NVML_CLOCK_SM => clocks.sm,
        sys::nvmlClockType_enum_NVML_CLOCK_MEM => clocks.memory,
        sys::nvmlClockType_enum_NVML_CLOCK_VIDEO => clocks.video,
        _ => return Err(Code::INVALID_ARGUMENT),
    };
    clock.ok_or(Code::NOT_SUPPORTED)
}

/// Memory runs at its clock always, the chip slows down when idle.
fn now(whole: Whole<'_>, kind: Uint) -> Answer<Uint> {
    let highest = application(whole, kind).or_else(|_| highest(whole, kind))?;
    let is_idle = whole.gpu.telemetry.utilization.gpu == 0;
    Ok(if is_idle && kind != sys::nvmlClockType_enum_NVML_CLOCK_MEM { highest.min(IDLE) } else { highest })
}

fn application(whole: Whole<'_>, kind: Uint) -> Answer<Uint> {
    let chosen = whole.gpu.telemetry.application_clocks;
    match kind {
        sys::nvmlClockType_enum_NVML_CLOCK_MEM => {
            chosen.map_or_else(|| highest(whole, kind), |(memory, _)| Ok(memory))
        }
        sys::nvmlClockType_enum_NVML_CLOCK_GRAPHICS | sys::nvmlClockType_enum_NVML_CLOCK_SM => {
            chosen.map_or_else(|| highest(whole, kind), |(_, graphics)| Ok(graphics))
        }
        sys::nvmlClockType_enum_NVML_CLOCK_VIDEO => Err(Code::NOT_SUPPORTED),
        _ => Err(Code::INVALID_ARGUMENT),
    }
}

fn choices(highest: u32) -> Vec<u32> {
    let mut choices: Vec<u32> = (LOWEST..=highest).rev().step_by(STEP).collect();
    choices.dedup();
    choices
}
