//! The functions that a program finds in the library, and what they are made of.
//!
//! How to add one is told at [`crate`]. A function takes its arguments as they come from C, wrapped without a change
//! of layout ([`mod@pointer`], [`handle`]), and answers through [`mod@call`]: nothing panics outward, a null pointer is
//! `INVALID_ARGUMENT`, faults of the state come first, and the state is that of the moment of the call.

#![expect(
    unsafe_code,
    reason = "C calls these functions: their names are exported and their pointers followed"
)]
#![expect(non_snake_case, reason = "the names are NVML's")]

pub mod call;
pub mod code;
pub mod device;
pub mod event;
mod export;
pub mod handle;
pub mod internal;
pub mod mig;
pub mod node;
pub mod pointer;
pub mod rest;
pub mod session;
pub mod system;
pub mod telemetry;
mod text;
pub mod visible;

/// C's `unsigned int`, short.
pub type Uint = std::ffi::c_uint;
