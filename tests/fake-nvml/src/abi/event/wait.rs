//! Waiting for an event.
#![expect(clippy::disallowed_methods, reason = "a timeout is kept by the clock")]

use std::time::{Duration, Instant};

use nvml_wrapper_sys::bindings::nvmlEventData_t;

use super::set::{EventSet, Listener, next};
use crate::{
    abi::{
        Uint,
        code::{Answer, Code},
        handle::Device,
        node::Node,
        pointer::Out,
        session,
    },
    export,
    state::{Event, Gpu, GpuFault, Watch},
};

/// `gpuInstanceId` and `computeInstanceId` of an event that hit a whole GPU.
const NO_INSTANCE: Uint = Uint::MAX;

/// What the first version of the function answers: without instances.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct OldEventData {
    device: Device,
    kind: u64,
    data: u64,
}

export! {
    /// Sleeps until an event of the set, or for so many milliseconds; `TIMEOUT`, or `GPU_IS_LOST` when a GPU of the set
    /// is gone and all its events are told.
    fn nvmlEventSetWait_v2(set: EventSet, data: Out<nvmlEventData_t>, timeout: Uint) = node => {
        // A null pointer is found before an event is taken out of the set.
        data.get()?;
        let event = wait(node, set, timeout)?;
        let (instance, compute) = event.instance.unwrap_or((NO_INSTANCE, NO_INSTANCE));
        data.put(nvmlEventData_t {
            device: Device::of_gpu(event.minor).to_pointer(),
            eventType: event.kind.bit(),
            eventData: event.kind.data(),
            gpuInstanceId: instance,
            computeInstanceId: compute,
        })
    };

    /// As [`nvmlEventSetWait_v2`], for programs built long ago.
    fn nvmlEventSetWait(set: EventSet, data: Out<OldEventData>, timeout: Uint) = node => {
        data.get()?;
        let event = wait(node, set, timeout)?;
        data.put(OldEventData { device: Device::of_gpu(event.minor), kind: event.kind.bit(), data: event.kind.data() })
    };
}

fn wait(node: &Node, set: EventSet, timeout: Uint) -> Answer<Event> {
    let until = Instant::now() + Duration::from_millis(timeout.into());
    // Watched first, then looked at: nothing falls in between.
    let watch = Watch::new(&node.store)?;
    loop {
        let now = session::current()?;
        let listeners = match next(set, &now.state.events)? {
            Ok(event) => return Ok(event),
            Err(listeners) => listeners,
        };
        if listeners.iter().any(|listener| is_lost(&now, *listener)) {
            return Err(Code::GPU_IS_LOST);
        }
        if now.state.faults.driver_not_loaded {
            return Err(Code::DRIVER_NOT_LOADED);
        }
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(Code::TIMEOUT);
        }
        watch.wait(left).ok().ok_or(Code::UNKNOWN)?;
    }
}

fn is_lost(node: &Node, listener: Listener) -> bool {
    let fault = |gpu: &Gpu| gpu.fault;
    match node.state.gpu(listener.minor).map_or(GpuFault::Removed, fault) {
        GpuFault::Lost | GpuFault::FallenOff | GpuFault::Removed => true,
        GpuFault::None | GpuFault::ResetRequired => false,
    }
}
