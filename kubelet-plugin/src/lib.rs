//! The DRA driver of a node's GPUs, as the kubelet sees it.
//!
//! Grown from the kubelet's side; what is here is whole and tested, and there is no program yet.
//! - [`registration`]: where the kubelet finds the driver.

#![forbid(unsafe_code)]

pub mod registration;
