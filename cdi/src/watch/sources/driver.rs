//! The driver's own events (MIG changes, GPUs that fail), by a program that listens to it.
//!
//! NVML delivers them to a process that keeps it open, and a process that keeps it open keeps the driver loaded. So
//! the listener is a program of its own that writes one line an event: it is ended at once when the driver is wanted
//! free, a fault in the library ends only it, and [`DriverEvents::follow`] starts it anew later.

#![expect(clippy::disallowed_types, reason = "starts the listener")]

use std::{
    collections::VecDeque,
    io::{self, Read},
    os::fd::{AsFd, BorrowedFd},
    process::{Child, ChildStdout, Command, Stdio},
    time::Duration,
};

use nix::fcntl::{FcntlArg, OFlag, fcntl};

/// Most starts [`WITHIN`] a time: a listener that ends again and again must not keep the daemon busy.
const STARTS: usize = 5;
/// See [`STARTS`].
const WITHIN: Duration = Duration::from_secs(300);

/// The listener, and how to start it again.
#[derive(Debug)]
pub struct DriverEvents {
    command: Command,
    /// When it was started the last times.
    started: VecDeque<Duration>,
    running: Option<Running>,
}

#[derive(Debug)]
struct Running {
    child: Child,
    lines: ChildStdout,
    /// Whether it has written anything: from its first line on it hears all events.
    listens: bool,
}

impl DriverEvents {
    /// Events by the listener `command`, which is not started yet.
    #[must_use]
    pub fn by(mut command: Command) -> Self {
        command.stdin(Stdio::null()).stdout(Stdio::piped());
        Self { command, started: VecDeque::new(), running: None }
    }

    /// Starts the listener at `now` if it is `wanted` and does not run, ends it if it is not.
    ///
    /// One that cannot be started, or was started too often, is tried again the next time: other sources go on.
    pub fn follow(&mut self, wanted: bool, now: Duration) {
        if !wanted {
            self.end();
        } else if self.running.is_none() && self.may_start(now) {
            self.started.push_back(now);
            self.running = start(&mut self.command).ok();
        }
    }

    fn may_start(&mut self, now: Duration) -> bool {
        self.started.retain(|&at| now.saturating_sub(at) < WITHIN);
        self.started.len() < STARTS
    }

    /// Becomes readable when an event came or the listener ended.
    #[must_use]
    pub fn descriptor(&self) -> Option<BorrowedFd<'_>> {
        self.running.as_ref().map(|running| running.lines.as_fd())
    }

    /// Reads all that was told; true if there was anything. The first line counts, because what happened before it was
    /// not heard; and so does the end of one that listened, because the driver may be going.
    pub fn drain(&mut self) -> bool {
        let Some(running) = &mut self.running else { return false };
        let (mut counts, mut lines) = (false, [0; 512]);
        loop {
            match running.lines.read(&mut lines) {
                Ok(0) => {
                    counts |= running.listens;
                    self.end();
                    return counts;
                }
                Ok(_) => {
                    running.listens = true;
                    counts = true;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => return counts,
            }
        }
    }

    fn end(&mut self) {
        if let Some(mut running) = self.running.take() {
            // It may have ended by itself; then there is only its exit to collect.
            drop(running.child.kill());
            drop(running.child.wait());
        }
    }
}

impl Drop for DriverEvents {
    fn drop(&mut self) {
        self.end();
    }
}

fn start(command: &mut Command) -> io::Result<Running> {
    let mut child = command.spawn()?;
    let lines = child.stdout.take().ok_or_else(|| io::Error::other("the listener has no output"))?;
    fcntl(&lines, FcntlArg::F_SETFL(OFlag::O_NONBLOCK))?;
    Ok(Running { child, lines, listens: false })
}

#[cfg(test)]
mod tests {
    use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

    use super::*;

    const T0: Duration = Duration::from_secs(1000);

    fn listener(script: &str) -> DriverEvents {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        DriverEvents::by(command)
    }

    fn drained(events: &mut DriverEvents) -> bool {
        let fd = events.descriptor().expect("a running listener");
        poll(&mut [PollFd::new(fd, PollFlags::POLLIN)], PollTimeout::from(10_000u16)).expect("poll");
        events.drain()
    }

    #[test]
    fn a_line_of_the_listener_counts() {
        let mut events = listener("echo mig; exec sleep 600");
        events.follow(true, T0);
        assert!(drained(&mut events));
        assert!(!events.drain() && events.descriptor().is_some());
    }

    #[test]
    fn the_end_of_one_that_listened_counts_once_and_of_another_not_at_all() {
        for (script, counts) in [("echo ready", true), ("exit 3", false)] {
            let mut events = listener(script);
            for _round in 0..2 {
                events.follow(true, T0);
                let mut counted = false;
                while events.descriptor().is_some() {
                    counted |= drained(&mut events);
                }
                assert_eq!(counted, counts, "{script}");
                assert!(!events.drain());
            }
        }
    }

    #[test]
    fn one_that_always_ends_is_given_a_rest() {
        let mut events = listener("exit 3");
        let mut starts_at = |now: Duration| {
            events.follow(true, now);
            let started = events.descriptor().is_some();
            while events.descriptor().is_some() {
                drained(&mut events);
            }
            started
        };
        let starts = (0..20).filter(|_| starts_at(T0)).count();
        assert_eq!(starts, STARTS);
        assert!(starts_at(T0 + WITHIN));
    }

    #[test]
    fn one_that_is_not_wanted_holds_nothing() {
        let mut events = listener("exec sleep 600");
        events.follow(true, T0);
        events.follow(false, T0);
        assert!(events.descriptor().is_none() && !events.drain());
    }
}
