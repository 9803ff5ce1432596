//! Where events come from: one file a kind of event; each has a descriptor that becomes readable.
//!
//! Draining a source never blocks and tells whether anything that counts had happened.

mod driver;
mod folders;
mod kernel;
mod signals;

use std::io;

pub use driver::DriverEvents;
pub use folders::Folders;
pub use kernel::KernelEvents;
pub use signals::{Request, Signals};

/// A source that can't be used.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// inotify refused.
    #[error("cannot watch folders; raise fs.inotify.max_user_instances or max_user_watches")]
    Folders(#[source] io::Error),
    /// No netlink socket.
    #[error("cannot listen to kernel events; run in the host's network namespace")]
    Kernel(#[source] io::Error),
    /// No signal descriptor.
    #[error("cannot receive signals by descriptor; raise the limit of open files")]
    Signals(#[source] io::Error),
}

/// Whether `error` only says that there is nothing more to read now.
fn is_drained(error: nix::Error) -> bool {
    matches!(error, nix::Error::EAGAIN | nix::Error::EINTR)
}
