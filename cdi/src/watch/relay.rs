//! The driver's own events, one line each: printed by a program of its own.
//!
//! NVML tells of MIG changes and of GPUs that fail only to a process that keeps it open. GPUs that are bound or unbound
//! are told by the kernel ([`super::uevent`]), as are modules.

use std::{io::Write, path::Path};

use nix::sys::{prctl, signal::Signal};
use nvml_wrapper::{
    EventSet, Nvml, bitmasks::event::EventTypes, enums::event::XidError, error::NvmlError,
    struct_wrappers::event::EventData,
};

/// Longest single wait; only so that a library which miscounts an endless wait is asked again.
const WAIT_MILLIS: u32 = 3_600_000;

/// XIDs after which a GPU may not answer any more: it fell off the bus or timed out, its firmware failed, or another
/// way to recover it is asked for. All others leave the GPU in the spec: faults of programs, corrected errors.
const LOSSES: [u64; 12] = [46, 62, 79, 95, 110, 119, 120, 143, 154, 158, 167, 169];

/// The first line: from now on no event is missed.
pub const READY: &str = "ready";

/// Why no more events come.
#[derive(Debug, thiserror::Error)]
pub enum RelayError {
    /// The library or the driver does not answer.
    #[error("the driver tells no events; nothing to do, other sources go on")]
    Nvml(#[source] NvmlError),
    /// No GPU tells events.
    #[error("no gpu tells events; nothing to do, other sources go on")]
    NoGpu,
    /// Nobody reads the lines.
    #[error("the events' reader went away; nothing to do")]
    Output(#[source] std::io::Error),
}

/// Writes [`READY`] and then a line an event to `out`, until the driver or the reader goes away.
///
/// Ends with the process that started it, however that ends.
///
/// # Errors
/// [`RelayError`]; it never returns otherwise.
pub fn relay(library: &Path, out: &mut impl Write) -> Result<std::convert::Infallible, RelayError> {
    prctl::set_pdeathsig(Signal::SIGKILL).map_err(|errno| RelayError::Output(errno.into()))?;
    let nvml = Nvml::builder().lib_path(library.as_os_str()).init().map_err(RelayError::Nvml)?;
    let events = subscribe(&nvml)?;
    say(out, READY)?;
    loop {
        match events.wait(WAIT_MILLIS) {
            Ok(event) => {
                if let Some(line) = line(&event) {
                    say(out, &line)?;
                }
            }
            Err(NvmlError::Timeout) => {}
            Err(error) => return Err(RelayError::Nvml(error)),
        }
    }
}

fn subscribe(nvml: &Nvml) -> Result<EventSet<'_>, RelayError> {
    let mut events = nvml.create_event_set().map_err(RelayError::Nvml)?;
    let mut subscribed = false;
    for index in 0..nvml.device_count().map_err(RelayError::Nvml)? {
        // A GPU that does not answer is no reason to miss what the others tell.
        let Ok(device) = nvml.device_by_index(index) else { continue };
        let wanted = EventTypes::CRITICAL_XID_ERROR | EventTypes::MIG_CONFIG_CHANGE;
        let told = device.supported_event_types().unwrap_or(EventTypes::empty()) & wanted;
        if told.is_empty() {
            continue;
        }
        events = device.register_events(told, events).map_err(|error| RelayError::Nvml(error.error))?;
        subscribed = true;
    }
    if subscribed { Ok(events) } else { Err(RelayError::NoGpu) }
}

/// What to say of an event, if it can change the spec.
fn line(event: &EventData<'_>) -> Option<String> {
    if event.event_type.contains(EventTypes::MIG_CONFIG_CHANGE) {
        return Some("mig".into());
    }
    match event.event_data {
        Some(XidError::Value(xid)) if LOSSES.contains(&xid) => Some(format!("xid {xid}")),
        Some(XidError::Unknown) => Some("xid 999".into()),
        _ => None,
    }
}

fn say(out: &mut impl Write, line: &str) -> Result<(), RelayError> {
    writeln!(out, "{line}").and_then(|()| out.flush()).map_err(RelayError::Output)
}
