//! What happens to a node in its life, in the order in which a real node shows it.
//!
//! Each change is a function on a [`Node`]: it changes the machine, the state of the simulated NVML, or
//! both; which comes first is what these modules are about.

mod driver;
mod event;
mod fault;
mod hotplug;
mod mig;
mod upgrade;

pub use self::{
    driver::{load, reload, unload},
    event::{event, memory_error},
    fault::{Fault, clear, fault},
    hotplug::{add, remove},
    mig::{mig, reset},
    upgrade::{Stage, UnknownStage, upgrade},
};
use crate::{
    machine::Feature,
    node::{Node, NodeError},
};

/// Gives the node a feature (a socket, a folder, nodes), or takes it away.
///
/// # Errors
/// [`NodeError`].
pub fn feature(node: &mut Node, feature: Feature, present: bool) -> Result<(), NodeError> {
    node.change(|machine| {
        if present {
            machine.features.insert(feature);
        } else {
            machine.features.remove(&feature);
        }
    })
}
