//! What operators and the service manager ask for, by signals.

use std::os::fd::{AsFd, BorrowedFd};

use nix::sys::{
    signal::{SigSet, Signal},
    signalfd::{SfdFlags, SignalFd},
};

use super::SourceError;

/// A request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Request {
    /// `SIGHUP`: generate now.
    Reload,
    /// `SIGTERM` or `SIGINT`: end.
    Stop,
}

/// The signals that this process takes by descriptor.
#[derive(Debug)]
pub struct Signals(SignalFd);

impl Signals {
    /// Takes them from now on; to be called before any thread is started, which would take them instead.
    ///
    /// # Errors
    /// [`SourceError::Signals`] when no descriptor is to be had.
    pub fn take() -> Result<Self, SourceError> {
        let refused = |error: nix::Error| SourceError::Signals(error.into());
        let mut signals = SigSet::empty();
        for signal in [Signal::SIGHUP, Signal::SIGTERM, Signal::SIGINT] {
            signals.add(signal);
        }
        signals.thread_block().map_err(refused)?;
        let flags = SfdFlags::SFD_NONBLOCK | SfdFlags::SFD_CLOEXEC;
        SignalFd::with_flags(&signals, flags).map(Self).map_err(refused)
    }

    /// The requests that have come, oldest first.
    pub fn drain(&mut self) -> Vec<Request> {
        std::iter::from_fn(|| self.0.read_signal().ok().flatten())
            .map(
                |signal| {
                    if signal.ssi_signo == Signal::SIGHUP as u32 { Request::Reload } else { Request::Stop }
                },
            )
            .collect()
    }
}

impl AsFd for Signals {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

#[cfg(test)]
mod tests {
    use nix::sys::signal::raise;

    use super::*;

    #[test]
    fn each_signal_is_its_request() {
        let mut signals = Signals::take().expect("a descriptor");
        raise(Signal::SIGHUP).expect("a signal");
        raise(Signal::SIGTERM).expect("a signal");
        let mut requests = signals.drain();
        requests.sort_by_key(|request| *request == Request::Stop);
        assert_eq!(requests, [Request::Reload, Request::Stop]);
        assert_eq!(signals.drain(), []);
    }
}
