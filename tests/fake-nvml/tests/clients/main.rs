//! Clients that nobody here wrote: NVIDIA's `nvidia-smi` and NVIDIA's Python binding, on nodes of this library.
//!
//! Both come from where anybody gets them, by `berth-packages`; without them these tests fail and say so.

mod common;
mod faults;
mod listings;
mod names;
mod python;
mod settings;
mod sharing;
