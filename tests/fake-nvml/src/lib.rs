//! A libnvidia-ml.so.1 without a GPU: state in a directory, shared between processes.
//!
//! - [`profiles`]: what boards there are, from data files;
//! - [`state`]: what a node has now, and the directory that holds it ([`state::Store`]);
//! - [`mig`]: how a GPU is cut into instances, as pure functions;
//! - [`abi`]: the functions that a program finds in the library;
//! - [`symbols`]: the library of an older driver, [`library`]: where cargo leaves this one.
//!
//! # A node from Rust
//!
//! ```
//! use berth_fake_nvml::state::{GpuFault, NodeConfig, Store};
//!
//! # let directory = tempfile::tempdir()?;
//! let store = Store::create(directory.path(), &NodeConfig::uniform("h200-141gb", 8))?;
//! store.edit(|state| state.gpus[3].fault = GpuFault::Lost)?;
//! assert_eq!(store.read()?.gpus[3].fault, GpuFault::Lost);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Every process that has the library open sees the change at its next call; one that waits for events
//! wakes up for those that follow ([`state::EventKind`]).
//!
//! # One more function
//!
//! [`export!`] exports functions under NVML's names. Arguments are the wrappers of [`abi::pointer`] and
//! [`abi::handle`] instead of bare pointers; the body sees the node ([`abi::node::Node`]) at the moment of the call
//! and comes to `Ok(())` or a [`Code`](abi::code::Code):
//!
//! ```text
//! export! {
//!     /// Whether the driver stays loaded without a client.
//!     fn nvmlDeviceGetPersistenceMode(device: Device, mode: Out<Uint>) = node => {
//!         mode.put(node.whole(device)?.gpu.persistence.into())
//!     };
//!
//!     /// Several names, one body.
//!     fn nvmlDeviceGetPciInfo_v3 | nvmlDeviceGetPciInfo(device: Device, pci: Out<nvmlPciInfo_t>) = node => { .. };
//! }
//! ```
//!
//! - read a device: `node.whole(device)?` (refuses a MIG device with `NOT_SUPPORTED`), `node.target(device)?` (either),
//!   `node.mig_device(device)?`, `node.part(..)`, `node.slice(..)` for instances;
//! - answer: `out.put(value)`, `text.put(length, &str)`, `out.list(count, &values)`; null is answered by them;
//! - structs with a version: `out.get_versioned(version::<T>(1))?`, then `out.put(..)`;
//! - change, for all processes: `node.set(minor, |gpu| ..)`, `node.change(minor, |gpu, product| ..)`,
//!   `node.store.update(|state| ..)`; each is root's alone;
//! - a panic, a lost GPU, a slow or failing call by the state's faults: nothing to do, [`abi::call`] sees to it.
//!
//! A function that must not run on the session's node (it waits, or needs no session) is written out, with
//! [`abi::call::bare`] around its body and [`abi::session::current`] inside.

pub mod abi;
pub mod library;
pub mod mig;
pub mod profiles;
pub mod state;
pub mod symbols;
