//! The loop that carries out what was decided.
//!
//! It blocks in poll(2) until a source speaks or a deadline passes, and chooses nothing itself: when to generate or
//! to withdraw is decided in [`super::decide`].

use std::{io, os::fd::AsFd, time::Duration};

use nix::{
    errno::Errno,
    poll::{PollFd, PollFlags, PollTimeout, poll},
    time::{ClockId, clock_gettime},
};

use super::{
    decide::{Action, Event, Outcome, State},
    places::Place,
    sources::{DriverEvents, Folders, KernelEvents, Request, Signals, SourceError},
    systemd::{Manager, Told},
};

/// What the daemon keeps true.
pub trait Node {
    /// Observes, builds and replaces the file; with the outcome, one line for operators.
    fn generate(&mut self) -> (Outcome, String);

    /// Removes the file; one line for operators.
    fn withdraw(&mut self) -> String;

    /// The folders that concern the node now; may change with each generation.
    fn places(&self) -> Vec<Place>;

    /// Whether the driver may be kept open now, for the sake of its events.
    fn may_hold_driver(&self) -> bool;

    /// Reads the configuration again.
    fn reload(&mut self);

    /// Writes one line of the log.
    fn log(&mut self, line: &str);
}

/// All sources of events.
#[derive(Debug)]
pub struct Sources {
    /// Folders.
    pub folders: Folders,
    /// The kernel's events, where they can be had.
    pub kernel: Option<KernelEvents>,
    /// The driver's events, where they are wanted.
    pub driver: Option<DriverEvents>,
    /// Signals.
    pub signals: Signals,
}

/// How the daemon talks to the service manager.
#[derive(Debug, Default)]
pub struct Supervision {
    /// The manager.
    pub manager: Manager,
    /// How often it wants a sign of life.
    pub watchdog: Option<Duration>,
}

/// The daemon can't go on.
#[derive(Debug, thiserror::Error)]
pub enum WatchError {
    /// A source broke.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// The system refused to wait.
    #[error("cannot wait for events; see the system's log")]
    Wait(#[source] io::Error),
}

/// Runs until it is told to stop.
///
/// # Errors
/// [`WatchError`] when it can't wait for events any more; the file stays as it is.
pub fn run(node: &mut dyn Node, sources: Sources, supervision: &Supervision) -> Result<(), WatchError> {
    let mut daemon = Daemon {
        node,
        sources,
        supervision,
        state: State::default(),
        answers: false,
        told_alive: Duration::ZERO,
    };
    // Watching first, so that nothing that happens during the first generation is missed.
    daemon.rewatch()?;
    daemon.step(Event::Asked)?;
    daemon.tell(&Told::Ready);
    while daemon.turn()? {}
    daemon.tell(&Told::Stopping);
    Ok(())
}

struct Daemon<'a> {
    node: &'a mut dyn Node,
    sources: Sources,
    supervision: &'a Supervision,
    state: State,
    /// Whether the driver answered the last time.
    answers: bool,
    told_alive: Duration,
}

impl Daemon<'_> {
    /// Waits once and handles what came; false when the daemon is to stop.
    fn turn(&mut self) -> Result<bool, WatchError> {
        self.wait()?;
        self.feed_watchdog();
        for request in self.sources.signals.drain() {
            match request {
                Request::Stop => return Ok(false),
                Request::Reload => self.reload()?,
            }
        }
        let event = if self.drain() { Event::Changed } else { Event::Woken };
        // At once, and not only after things have settled: somebody may be waiting to unload the driver.
        self.follow_driver();
        self.step(event)?;
        Ok(true)
    }

    fn follow_driver(&mut self) {
        let wanted = self.answers && self.node.may_hold_driver();
        if let Some(driver) = &mut self.sources.driver {
            driver.follow(wanted, now(ClockId::CLOCK_BOOTTIME));
        }
    }

    fn drain(&mut self) -> bool {
        let folders = self.sources.folders.drain();
        let kernel = self.sources.kernel.as_mut().is_some_and(KernelEvents::drain);
        let driver = self.sources.driver.as_mut().is_some_and(DriverEvents::drain);
        folders || kernel || driver
    }

    fn reload(&mut self) -> Result<(), WatchError> {
        self.tell(&Told::Reloading(now(ClockId::CLOCK_MONOTONIC)));
        self.node.reload();
        self.step(Event::Asked)?;
        self.tell(&Told::Ready);
        Ok(())
    }

    fn step(&mut self, event: Event) -> Result<(), WatchError> {
        let (state, actions) = self.state.step(now(ClockId::CLOCK_BOOTTIME), &event);
        self.state = state;
        for action in actions {
            self.perform(action)?;
        }
        self.rewatch()
    }

    fn perform(&mut self, action: Action) -> Result<(), WatchError> {
        let line = match action {
            Action::Generate => {
                let (outcome, line) = self.node.generate();
                self.answers = outcome.answers();
                self.follow_driver();
                self.step(Event::Generated(outcome))?;
                line
            }
            Action::Withdraw => self.node.withdraw(),
        };
        self.node.log(&line);
        self.tell(&Told::Status(line));
        Ok(())
    }

    /// What happened in a folder before it was watched was not seen: it counts as a change.
    fn rewatch(&mut self) -> Result<(), WatchError> {
        if self.sources.folders.watch(&self.node.places())? {
            self.state = self.state.step(now(ClockId::CLOCK_BOOTTIME), &Event::Changed).0;
        }
        Ok(())
    }

    fn wait(&self) -> Result<(), WatchError> {
        let sources = &self.sources;
        let mut polled = vec![readable(&sources.folders), readable(&sources.signals)];
        polled.extend(sources.kernel.as_ref().map(readable));
        polled.extend(
            sources
                .driver
                .as_ref()
                .and_then(DriverEvents::descriptor)
                .map(|fd| PollFd::new(fd, PollFlags::POLLIN)),
        );
        match poll(&mut polled, self.timeout()) {
            Ok(_) | Err(Errno::EINTR) => Ok(()),
            Err(error) => Err(WatchError::Wait(error.into())),
        }
    }

    fn timeout(&self) -> PollTimeout {
        let left = |deadline: Duration| deadline.saturating_sub(now(ClockId::CLOCK_BOOTTIME));
        let alive = self.supervision.watchdog.map(|every| left(self.told_alive + every));
        let next = self.state.deadline().map(left).into_iter().chain(alive).min();
        // Rounded up: waking before the deadline would only mean to wait once more.
        next.map_or(PollTimeout::NONE, |wait| {
            PollTimeout::try_from(wait.as_millis().saturating_add(1)).unwrap_or(PollTimeout::MAX)
        })
    }

    fn feed_watchdog(&mut self) {
        let now = now(ClockId::CLOCK_BOOTTIME);
        if self.supervision.watchdog.is_some_and(|every| self.told_alive + every <= now) {
            self.told_alive = now;
            self.tell(&Told::Watchdog);
        }
    }

    /// A manager that doesn't listen changes nothing: the file is what counts.
    fn tell(&mut self, told: &Told) {
        if let Err(error) = self.supervision.manager.tell(told) {
            self.node.log(&format!("the service manager does not listen: {error}"));
        }
    }
}

fn readable(source: &impl AsFd) -> PollFd<'_> {
    PollFd::new(source.as_fd(), PollFlags::POLLIN)
}

/// The one place where the daemon reads a clock; a clock that can't be read stands still.
fn now(clock: ClockId) -> Duration {
    clock_gettime(clock).map_or(Duration::ZERO, Duration::from)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::disallowed_methods, reason = "changes a watched folder")]

    use std::{fs, os::unix::net::UnixDatagram, path::PathBuf};

    use nix::sys::signal::{Signal, raise};

    use super::*;
    use crate::watch::places::{Changes, Names};

    /// A node whose generations go as `outcomes` say; when they are used up it asks the daemon to stop.
    struct Script {
        folder: PathBuf,
        outcomes: Vec<Outcome>,
        after: fn(&PathBuf, usize),
        log: Vec<String>,
    }

    impl Node for Script {
        fn generate(&mut self) -> (Outcome, String) {
            let number = self.log.len();
            (self.after)(&self.folder, number);
            let outcome = self.outcomes.remove(0);
            if self.outcomes.is_empty() {
                raise(Signal::SIGTERM).expect("a signal");
            }
            (outcome, format!("generation {number}"))
        }

        fn withdraw(&mut self) -> String {
            "withdrawn".into()
        }

        fn places(&self) -> Vec<Place> {
            vec![Place {
                folder: self.folder.join("nvidia-caps"),
                names: Names::All,
                changes: Changes::Entries,
            }]
        }

        fn may_hold_driver(&self) -> bool {
            true
        }

        fn reload(&mut self) {
            self.log.push("reloaded".into());
        }

        fn log(&mut self, line: &str) {
            self.log.push(line.into());
        }
    }

    fn run_script(
        outcomes: &[Outcome],
        after: fn(&PathBuf, usize),
        supervision: &Supervision,
    ) -> Vec<String> {
        let folder = tempfile::tempdir().expect("a folder");
        let outcomes = outcomes.to_vec();
        let mut node = Script { folder: folder.path().into(), outcomes, after, log: Vec::new() };
        let sources = Sources {
            folders: Folders::new().expect("inotify"),
            kernel: Some(KernelEvents::listen().expect("a socket")),
            driver: None,
            signals: Signals::take().expect("a descriptor"),
        };
        run(&mut node, sources, supervision).expect("a stop");
        node.log
    }

    #[test]
    fn a_change_of_a_folder_that_came_later_is_a_generation() {
        let change = |folder: &PathBuf, number: usize| match number {
            0 => fs::create_dir(folder.join("nvidia-caps")).expect("a folder"),
            1 => fs::write(folder.join("nvidia-caps/nvidia-cap1"), "").expect("a file"),
            _ => {}
        };
        let log = run_script(&[Outcome::True; 3], change, &Supervision::default());
        assert_eq!(log, ["generation 0", "generation 1", "generation 2"]);
    }

    #[test]
    fn a_failure_is_repeated_without_any_event() {
        let log = run_script(&[Outcome::Failed, Outcome::True], |_, _| {}, &Supervision::default());
        assert_eq!(log, ["generation 0", "generation 1"]);
    }

    #[test]
    fn a_hangup_reloads_and_generates() {
        let hangup = |_: &PathBuf, number: usize| {
            if number == 0 {
                raise(Signal::SIGHUP).expect("a signal");
            }
        };
        let log = run_script(&[Outcome::True; 2], hangup, &Supervision::default());
        assert_eq!(log, ["generation 0", "reloaded", "generation 2"]);
    }

    #[test]
    fn the_manager_hears_of_readiness_life_and_end() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("notify");
        let listener = UnixDatagram::bind(&path).expect("a socket");
        let manager = Manager::at(path.to_str()).expect("an address");
        let watchdog = Some(Duration::from_millis(60));
        let change = |folder: &PathBuf, number: usize| {
            if number == 0 {
                fs::create_dir(folder.join("nvidia-caps")).expect("a folder");
            }
        };
        run_script(&[Outcome::True; 2], change, &Supervision { manager, watchdog });
        listener.set_nonblocking(true).expect("a socket");
        let mut heard = Vec::new();
        let mut text = [0; 64];
        while let Ok(length) = listener.recv(&mut text) {
            heard.push(String::from_utf8_lossy(text.get(..length).unwrap_or_default()).into_owned());
        }
        assert_eq!(heard.first().map(String::as_str), Some("STATUS=generation 0"));
        assert_eq!(heard.get(1).map(String::as_str), Some("READY=1"));
        assert!(heard.iter().any(|told| told == "WATCHDOG=1"), "{heard:?}");
        assert_eq!(heard.last().map(String::as_str), Some("STOPPING=1"));
    }
}
