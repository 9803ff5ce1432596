//! How far the chip is from where it slows down, as `nvidia-smi -q` asks for it.
//!
//! A GPU that answers here has its thresholds shown as distances too.

use std::ffi::c_int;

use nvml_wrapper_sys::bindings::nvmlReturn_t;

use crate::abi::{call::call, handle::Device, pointer::Out, telemetry::thermal};

/// Its number in the table.
pub(super) const SLOT: usize = 240;

/// Degrees Celsius up to the limit; not for a board that tells temperatures alone.
pub extern "C" fn distance_to_limit(device: Device, degrees: Out<c_int>) -> nvmlReturn_t {
    call("nvmlInternalGetTemperatureToLimit", |node| degrees.put(thermal::distance(node.whole(device)?)?))
}
