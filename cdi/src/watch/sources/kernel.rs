//! Events of devices and modules, by the kernel's netlink socket (`NETLINK_KOBJECT_UEVENT`).

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use nix::{
    errno::Errno,
    sys::socket::{
        AddressFamily, NetlinkAddr, SockFlag, SockProtocol, SockType, bind, recvfrom, setsockopt, socket,
        sockopt,
    },
};

use super::{SourceError, is_drained};
use crate::watch::uevent::concerns_gpus;

/// The multicast group of the kernel's own messages; udev's are in another.
const KERNEL_GROUP: u32 = 1;
/// Longest message that is read; the kernel's are at most 2 KiB (`UEVENT_BUFFER_SIZE`).
const MESSAGE: usize = 4096;
/// Room for a burst, such as the functions of all GPUs at once.
const RECEIVE_BUFFER: usize = 1 << 20;

/// The kernel's events.
#[derive(Debug)]
pub struct KernelEvents(OwnedFd);

impl KernelEvents {
    /// Listens from now on.
    ///
    /// # Errors
    /// [`SourceError::Kernel`] when the socket is refused.
    pub fn listen() -> Result<Self, SourceError> {
        let refused = |error: Errno| SourceError::Kernel(error.into());
        let flags = SockFlag::SOCK_CLOEXEC | SockFlag::SOCK_NONBLOCK;
        let protocol = SockProtocol::NetlinkKObjectUEvent;
        let socket = socket(AddressFamily::Netlink, SockType::Datagram, flags, protocol).map_err(refused)?;
        setsockopt(&socket, sockopt::RcvBuf, &RECEIVE_BUFFER).map_err(refused)?;
        bind(std::os::fd::AsRawFd::as_raw_fd(&socket), &NetlinkAddr::new(0, KERNEL_GROUP))
            .map_err(refused)?;
        Ok(Self(socket))
    }

    /// Reads all that has happened; true if any of it concerns GPUs, or if messages were lost.
    pub fn drain(&mut self) -> bool {
        let (mut counts, mut message) = (false, [0; MESSAGE]);
        loop {
            match recvfrom::<NetlinkAddr>(std::os::fd::AsRawFd::as_raw_fd(&self.0), &mut message) {
                Ok((length, sender)) => {
                    counts |= is_kernel(sender) && message.get(..length).is_some_and(concerns_gpus);
                }
                Err(Errno::ENOBUFS) => counts = true,
                Err(error) => return counts || !is_drained(error),
            }
        }
    }
}

/// Other processes may send to the group; only the kernel's port is zero.
fn is_kernel(sender: Option<NetlinkAddr>) -> bool {
    sender.is_some_and(|sender| sender.pid() == 0)
}

impl AsFd for KernelEvents {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

#[cfg(test)]
mod tests {
    use std::os::fd::AsRawFd;

    use nix::sys::socket::{MsgFlags, sendto};

    use super::*;

    #[test]
    fn a_forged_event_of_another_process_does_not_count() {
        let mut events = KernelEvents::listen().expect("a socket");
        let forger = KernelEvents::listen().expect("a socket");
        let message = b"add@/module/nvidia\0ACTION=add\0SUBSYSTEM=module\0";
        let group = NetlinkAddr::new(0, KERNEL_GROUP);
        sendto(forger.0.as_raw_fd(), message, &group, MsgFlags::empty()).expect("root may send");
        assert!(!events.drain());
    }
}
