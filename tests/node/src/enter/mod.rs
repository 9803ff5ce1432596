//! Makes a node the machine that programs see: a private mount namespace in which the root's folders lie
//! over the real ones.
//!
//! - [`plan`] decides what is mounted where, from what the root holds.
//! - [`Namespace`] performs it on a thread of its own, and runs code or programs inside.
//!
//! Invariants: mounts are private, so nothing outside changes; all goes when the last process inside has
//! gone. The real system's programs stay in reach, because /usr and /etc are laid over, not replaced. The
//! real /usr, /sys and /proc cannot be written through the node's; /etc collects writes in the root.

mod namespace;
mod observe;
mod perform;
mod plan;

pub use self::{
    namespace::{EnterError, Namespace, become_machine},
    perform::MountError,
    plan::{Host, Step, plan},
};
