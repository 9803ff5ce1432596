//! Where the kubelet finds the driver: the names of its two sockets.

mod driver_name;
mod sockets;

pub use driver_name::{DriverName, DriverNameError};
pub use sockets::{SocketError, Sockets};
