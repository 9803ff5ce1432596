//! Events: a process says what it waits for, and sleeps until it happens, in whatever process.
//!
//! An event set belongs to its process; what happens stands in the state ([`crate::state::EventLog`]). A set remembers
//! for each GPU the number of the next event that it has not seen, so that each event is handed out once a set.

pub mod set;
pub mod wait;
