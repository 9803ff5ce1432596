//! Keeps a spec file true: regenerates when the node changes.
//!
//! Events come from the kernel and the driver ([`sources`]), a pure state machine says what they call for
//! ([`decide`]), and a loop carries it out ([`daemon`]). Invariants:
//! - nothing is polled: without an event the node is looked at again after [`decide::RECHECK`] at the earliest;
//! - a good file is only ever replaced by a good file, and withdrawn only when the driver is gone for good;
//! - one daemon writes one file.
//!
//! ```text
//!            change                settled                    written or unchanged
//!   quiet ───────────▶ settling ───────────▶ generating ───────────────────────────▶ quiet
//!     ▲                    ▲                     │  │ failed            no driver
//!     │ withdrawn          │ change    ┌─────────┘  └──────────────┐
//!     │                    │           ▼                           ▼
//!     └────────────── gone (old file kept for a while)      retrying (old file kept)
//! ```

pub mod daemon;
pub mod decide;
pub mod generator;
pub mod keep;
pub mod keeper;
pub mod places;
pub mod presence;
#[cfg(feature = "host")]
pub mod privileges;
#[cfg(feature = "host")]
pub mod relay;
pub mod sources;
#[cfg(feature = "host")]
pub mod start;
pub mod systemd;
pub mod uevent;

#[cfg(test)]
mod tests;
