//! A container's files, opened so that nothing in the image leads out of its root.
//!
//! Guarantees:
//! - every path is resolved by the kernel below the root's descriptor (`RESOLVE_IN_ROOT`, no magic links), so that an
//!   exchanged folder or link is another place in the container at worst;
//! - a file is opened for reading only after its descriptor was seen to be a regular file: no device, pipe or socket of
//!   the image is ever opened (they may block, or act on the host when opened);
//! - nothing is written into an existing file: a new one takes the place of its name;
//! - no folder that is the host's own under the same name is written to.
//!
//! Assumption: `/` is still the host's root, as for every `createContainer` hook.

mod error;
mod list;
mod open;
mod write;

pub use error::ContainerError;
pub use list::{Kind, Named};
pub use open::{Container, FileId};
pub use write::Modes;
