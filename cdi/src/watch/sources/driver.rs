//! The driver's own events (MIG changes, XIDs, bound and unbound GPUs), by a helper process.
//!
//! NVML delivers them to a process that keeps it open, and a process that keeps it open keeps the driver loaded. So
//! a helper waits, a program of its own that writes one line an event: it can be ended at any moment, a fault in the
//! library ends only it, and [`DriverEvents::follow`] starts it anew when the driver answers again.

#![expect(clippy::disallowed_types, reason = "starts the helper")]

use std::{
    io::{self, Read},
    os::fd::{AsFd, BorrowedFd},
    process::{Child, ChildStdout, Command, Stdio},
};

use nix::fcntl::{FcntlArg, OFlag, fcntl};

/// The helper, and how to start it again.
#[derive(Debug)]
pub struct DriverEvents {
    command: Command,
    running: Option<Running>,
}

#[derive(Debug)]
struct Running {
    child: Child,
    lines: ChildStdout,
}

impl DriverEvents {
    /// Events by the helper `command`, which is not started yet.
    #[must_use]
    pub fn by(mut command: Command) -> Self {
        command.stdin(Stdio::null()).stdout(Stdio::piped());
        Self { command, running: None }
    }

    /// Starts the helper while the driver answers (`answers`), ends it while it doesn't.
    ///
    /// A helper that can't be started is tried again the next time: events of folders and kernel go on.
    pub fn follow(&mut self, answers: bool) {
        if !answers {
            self.end();
        } else if self.running.is_none() {
            self.running = start(&mut self.command).ok();
        }
    }

    /// Becomes readable when an event came or the helper ended.
    #[must_use]
    pub fn descriptor(&self) -> Option<BorrowedFd<'_>> {
        self.running.as_ref().map(|running| running.lines.as_fd())
    }

    /// Reads all that was told; true if there was anything. A helper that ended counts too: the driver may be going.
    pub fn drain(&mut self) -> bool {
        let Some(running) = &mut self.running else { return false };
        let (mut counts, mut lines) = (false, [0; 512]);
        loop {
            match running.lines.read(&mut lines) {
                Ok(0) => {
                    self.end();
                    return true;
                }
                Ok(_) => counts = true,
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
    let lines = child.stdout.take().ok_or_else(|| io::Error::other("the helper has no output"))?;
    fcntl(&lines, FcntlArg::F_SETFL(OFlag::O_NONBLOCK))?;
    Ok(Running { child, lines })
}

#[cfg(test)]
mod tests {
    use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

    use super::*;

    fn helper(script: &str) -> DriverEvents {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        DriverEvents::by(command)
    }

    fn drained(events: &mut DriverEvents) -> bool {
        let fd = events.descriptor().expect("a running helper");
        poll(&mut [PollFd::new(fd, PollFlags::POLLIN)], PollTimeout::from(10_000u16)).expect("poll");
        events.drain()
    }

    #[test]
    fn a_line_of_the_helper_counts() {
        let mut events = helper("echo mig; exec sleep 600");
        events.follow(true);
        assert!(drained(&mut events));
        assert!(!events.drain() && events.descriptor().is_some());
    }

    #[test]
    fn a_helper_that_ends_counts_once_and_is_started_again_when_the_driver_answers() {
        let mut events = helper("exit 3");
        for _round in 0..2 {
            events.follow(true);
            assert!(drained(&mut events));
            assert!(!events.drain() && events.descriptor().is_none());
        }
    }

    #[test]
    fn without_an_answering_driver_no_helper_holds_it() {
        let mut events = helper("exec sleep 600");
        events.follow(true);
        events.follow(false);
        assert!(events.descriptor().is_none() && !events.drain());
    }
}
