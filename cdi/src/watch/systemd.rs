//! What the service manager is told, and how (`sd_notify(3)`).

use std::{
    io,
    os::{
        linux::net::SocketAddrExt,
        unix::net::{SocketAddr, UnixDatagram},
    },
    time::Duration,
};

/// A state of the daemon.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Told {
    /// The first generation has ended: what comes after may start.
    Ready,
    /// A reload began, at this time of `CLOCK_MONOTONIC`.
    Reloading(Duration),
    /// The daemon ends.
    Stopping,
    /// The daemon lives.
    Watchdog,
    /// One line for `systemctl status`.
    Status(String),
}

impl Told {
    /// The datagram's text.
    #[must_use]
    pub fn message(&self) -> String {
        match self {
            Self::Ready => "READY=1".into(),
            Self::Reloading(at) => format!("RELOADING=1\nMONOTONIC_USEC={}", at.as_micros()),
            Self::Stopping => "STOPPING=1".into(),
            Self::Watchdog => "WATCHDOG=1".into(),
            // A second line would be a second variable.
            Self::Status(line) => format!("STATUS={}", line.replace(['\n', '\0'], " ")),
        }
    }
}

/// How often the watchdog is fed: half of `usec` (`WATCHDOG_USEC`), if that is a number above zero and `pid`
/// (`WATCHDOG_PID`), where given, is `own`.
#[must_use]
pub fn watchdog_interval(usec: Option<&str>, pid: Option<&str>, own: u32) -> Option<Duration> {
    let mine = pid.is_none_or(|pid| pid.parse() == Ok(own));
    let micros: u64 = usec?.parse().ok().filter(|&micros| micros > 0)?;
    mine.then(|| Duration::from_micros(micros / 2))
}

/// The service manager's socket, or none where the daemon was started by a person.
#[derive(Debug, Default)]
pub struct Manager(Option<(UnixDatagram, SocketAddr)>);

impl Manager {
    /// The manager behind `address` (`NOTIFY_SOCKET`): a path, or a name in the abstract namespace after `@`.
    ///
    /// # Errors
    /// An address that is neither, or no socket can be made.
    pub fn at(address: Option<&str>) -> io::Result<Self> {
        let Some(address) = address.filter(|address| !address.is_empty()) else { return Ok(Self(None)) };
        let address = match address.strip_prefix('@') {
            Some(name) => SocketAddr::from_abstract_name(name)?,
            None => SocketAddr::from_pathname(address)?,
        };
        let socket = UnixDatagram::unbound()?;
        // A manager that doesn't read must not stop the daemon.
        socket.set_nonblocking(true)?;
        Ok(Self(Some((socket, address))))
    }

    /// Tells the manager.
    ///
    /// # Errors
    /// The manager does not listen; nothing depends on it but its own view.
    pub fn tell(&self, told: &Told) -> io::Result<()> {
        match &self.0 {
            Some((socket, address)) => socket.send_to_addr(told.message().as_bytes(), address).map(drop),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_state_is_one_message_of_the_protocol() {
        for (told, wanted) in [
            (Told::Ready, "READY=1"),
            (Told::Reloading(Duration::from_micros(12)), "RELOADING=1\nMONOTONIC_USEC=12"),
            (Told::Stopping, "STOPPING=1"),
            (Told::Watchdog, "WATCHDOG=1"),
            (Told::Status("8 devices\nREADY=0".into()), "STATUS=8 devices READY=0"),
        ] {
            assert_eq!(told.message(), wanted);
        }
    }

    #[test]
    fn the_watchdog_is_fed_twice_an_interval_and_only_by_whom_it_means() {
        let half = Some(Duration::from_secs(15));
        assert_eq!(watchdog_interval(Some("30000000"), None, 7), half);
        assert_eq!(watchdog_interval(Some("30000000"), Some("7"), 7), half);
        for (usec, pid) in [(Some("30000000"), Some("8")), (None, None), (Some("0"), None), (Some("x"), None)]
        {
            assert_eq!(watchdog_interval(usec, pid, 7), None);
        }
    }

    #[test]
    fn a_manager_is_reached_by_path_and_by_abstract_name() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("notify");
        let name = format!("@berth-test-{}", std::process::id());
        let by_path = UnixDatagram::bind(&path).expect("a socket");
        let abstract_name = SocketAddr::from_abstract_name(name.trim_start_matches('@')).expect("a name");
        let by_name = UnixDatagram::bind_addr(&abstract_name).expect("a socket");
        for (address, listener) in [(path.to_str().expect("utf-8"), by_path), (name.as_str(), by_name)] {
            Manager::at(Some(address)).expect("an address").tell(&Told::Ready).expect("a listener");
            let mut text = [0; 16];
            let length = listener.recv(&mut text).expect("a message");
            assert_eq!(&text[..length], b"READY=1");
        }
    }

    #[test]
    fn a_manager_that_does_not_read_stops_nobody() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("notify");
        let _deaf = UnixDatagram::bind(&path).expect("a socket");
        let manager = Manager::at(path.to_str()).expect("an address");
        let refused = (0..10_000).find_map(|_| manager.tell(&Told::Watchdog).err());
        assert_eq!(refused.map(|error| error.kind()), Some(io::ErrorKind::WouldBlock));
    }

    #[test]
    fn without_a_manager_nobody_is_told() {
        for address in [None, Some("")] {
            Manager::at(address).expect("no manager").tell(&Told::Ready).expect("nothing to do");
        }
    }
}
