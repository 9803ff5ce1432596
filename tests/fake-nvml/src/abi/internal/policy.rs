//! `nvidia-smi compute-policy --set-timeslice`.

use nvml_wrapper_sys::bindings::nvmlReturn_t;

use crate::{
    abi::{Uint, call::call, code::Code, handle::Device, pointer::Out},
    state::TimeSlice,
};

/// Its number in the table.
pub(super) const SLOT: usize = 192;

/// The policy that is set: the length of time slices is the only one known.
const TIME_SLICE: Uint = 0;

/// What to set, and to what.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct Policy {
    policy: Uint,
    value: Uint,
}

/// Sets a compute policy of a whole GPU.
pub extern "C" fn set_compute_policy(device: Device, policy: Out<Policy>) -> nvmlReturn_t {
    call("nvmlInternalSetComputePolicy", |node| {
        let Policy { policy: TIME_SLICE, value } = policy.get()? else { return Err(Code::INVALID_ARGUMENT) };
        let slice = match value {
            0 => TimeSlice::Default,
            1 => TimeSlice::Short,
            2 => TimeSlice::Medium,
            3 => TimeSlice::Long,
            _ => return Err(Code::INVALID_ARGUMENT),
        };
        node.set(node.whole(device)?.gpu.minor, |gpu| gpu.time_slice = slice)
    })
}
