//! Events: what a GPU can tell of, listening, waiting.

use std::{
    ffi::{c_uint, c_ulonglong},
    ptr,
};

use nvml_wrapper_sys::bindings::{nvmlEventData_t, nvmlEventSet_t};

use super::client::{Answer, Client, ClientError, nvml};

/// The bits that a GPU can tell of.
pub(crate) fn supported(client: &Client, gpu: c_uint) -> Answer {
    let mut kinds = 0;
    nvml!(client, nvmlDeviceGetSupportedEventTypes(client.device(gpu)?, &raw mut kinds))?;
    Ok(format!("{kinds:#x}"))
}

/// A new event set, by the number that it bears here.
pub(crate) fn listen(client: &Client, gpu: c_uint, kinds: c_uint) -> Answer {
    let mut set: nvmlEventSet_t = ptr::null_mut();
    nvml!(client, nvmlEventSetCreate(&raw mut set))?;
    nvml!(client, nvmlDeviceRegisterEvents(client.device(gpu)?, c_ulonglong::from(kinds), set))?;
    Ok(set.addr().to_string())
}

/// The next event: index of the GPU, kind, data, and the instances if it hit one.
pub(crate) fn wait(client: &Client, set: c_uint, timeout: c_uint) -> Answer {
    let mut event = nvmlEventData_t {
        device: ptr::null_mut(),
        eventType: 0,
        eventData: 0,
        gpuInstanceId: 0,
        computeInstanceId: 0,
    };
    nvml!(client, nvmlEventSetWait_v2(handle(set)?, &raw mut event, timeout))?;
    let mut gpu = 0;
    let index = match nvml!(client, nvmlDeviceGetIndex(event.device, &raw mut gpu)) {
        Ok(()) => gpu.to_string(),
        Err(_) => "lost".into(),
    };
    let place = match event.gpuInstanceId {
        c_uint::MAX => String::new(),
        instance => format!(" {instance} {}", event.computeInstanceId),
    };
    Ok(format!("{index} {:#x} {}{place}", event.eventType, event.eventData))
}

/// Ends an event set.
pub(crate) fn free(client: &Client, set: c_uint) -> Answer {
    nvml!(client, nvmlEventSetFree(handle(set)?)).map(|()| String::new())
}

fn handle(set: c_uint) -> Answer<nvmlEventSet_t> {
    usize::try_from(set).map(ptr::without_provenance_mut).ok().ok_or(ClientError::Unknown)
}
