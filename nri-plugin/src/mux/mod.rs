//! Several logical connections on one byte stream: frames of the NRI mux, without any IO.
//!
//! A frame is `u32 BE connection id`, `u32 BE payload length`, payload. Frame boundaries carry no meaning: each
//! connection is a byte stream. Invariants:
//! - what is sent is cut to [`MAX_SENT`]: the runtime drops a plugin whose message begins with a longer frame;
//! - what is received may have any length up to [`MAX_RECEIVED`]; a longer one ends the connection before
//!   anything is allocated for it.

mod decode;
mod encode;

pub use decode::{Decoder, Frame, MuxError};
pub use encode::frames;

/// Bytes of a frame's header.
pub const HEADER: usize = 8;

/// Longest payload that is sent: the runtime's ttrpc reads through a buffer of this size, one frame a read.
pub const MAX_SENT: usize = 4096;

/// Longest payload that is accepted: the largest ttrpc message (4 MiB) and its header.
pub const MAX_RECEIVED: usize = (4 << 20) + 10;

/// A logical connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ConnectionId(pub u32);

impl ConnectionId {
    /// The runtime calls the plugin.
    pub const PLUGIN: Self = Self(1);
    /// The plugin calls the runtime.
    pub const RUNTIME: Self = Self(2);
}
