//! Enforcement at container creation, over the Node Resource Interface (NRI).
//!
//! Grown from the wire up; what is here is whole and tested, and there is no program yet.
//! - [`mux`]: several logical connections on the runtime's one socket, as bytes in and frames out.

#![forbid(unsafe_code)]

pub mod mux;
