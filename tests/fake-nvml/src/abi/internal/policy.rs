//! `nvidia-smi compute-policy`: sets and lists the length of time slices.

use nvml_wrapper_sys::bindings::nvmlReturn_t;

use crate::{
    abi::{Uint, call::call, code::Code, handle::Device, pointer::Out},
    state::TimeSlice,
};

/// Numbers in the table: of what sets, and of what lists.
pub(super) const SET: usize = 192;
pub(super) const LIST: usize = 193;

/// The policy that is set: the length of time slices is the only one known.
const TIME_SLICE: Uint = 0;

/// What to set, and to what.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct Policy {
    policy: Uint,
    value: Uint,
}

/// The policies of a GPU, as `nvidia-smi` reads them: how many, then so many of them.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct Policies {
    count: Uint,
    first: Policy,
}

/// Lists the compute policies of a whole GPU: the one that there is.
pub extern "C" fn compute_policies(device: Device, policies: Out<Policies>) -> nvmlReturn_t {
    call("nvmlInternalGetComputePolicies", |node| {
        let value = match node.whole(device)?.gpu.time_slice {
            TimeSlice::Default => 0,
            TimeSlice::Short => 1,
            TimeSlice::Medium => 2,
            TimeSlice::Long => 3,
        };
        policies.put(Policies { count: 1, first: Policy { policy: TIME_SLICE, value } })
    })
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
