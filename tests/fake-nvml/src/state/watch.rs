//! Sleeping until the state changes.

use std::{io, path::Path, time::Duration};

use nix::{
    poll::{PollFd, PollFlags, PollTimeout, poll},
    sys::inotify::{AddWatchFlags, InitFlags, Inotify},
};
use std::os::fd::AsFd;

use super::{Store, StoreError, store::GENERATION};

/// Longest sleep at a stretch: what `poll` can be told.
const LONGEST: Duration = Duration::from_millis(i32::MAX as u64);

/// Wakes when the counter of a directory is written, by any process.
#[derive(Debug)]
pub struct Watch {
    notices: Inotify,
}

impl Watch {
    /// Begins to watch: a change after this is never missed.
    ///
    /// # Errors
    /// When the directory holds no state, or the system gives no more watches.
    pub fn new(store: &Store) -> Result<Self, StoreError> {
        let path = store.directory().join(GENERATION);
        start(&path).map_err(|source| StoreError::File { path, source })
    }

    /// Sleeps until the state changes, or for `at_most`; may wake for nothing.
    ///
    /// # Errors
    /// The system's.
    pub fn wait(&self, at_most: Duration) -> io::Result<()> {
        // Rounded up, so that the last part of a millisecond is slept and not spun through.
        let millis = at_most.min(LONGEST).as_nanos().div_ceil(1_000_000);
        let timeout = PollTimeout::try_from(millis).unwrap_or(PollTimeout::MAX);
        let mut notices = [PollFd::new(self.notices.as_fd(), PollFlags::POLLIN)];
        match poll(&mut notices, timeout) {
            Ok(0) | Err(nix::errno::Errno::EINTR) => Ok(()),
            Ok(_) => self.notices.read_events().map(drop).map_err(io::Error::from),
            Err(errno) => Err(errno.into()),
        }
    }
}

fn start(path: &Path) -> io::Result<Watch> {
    let notices = Inotify::init(InitFlags::IN_CLOEXEC | InitFlags::IN_NONBLOCK)?;
    notices.add_watch(path, AddWatchFlags::IN_MODIFY)?;
    Ok(Watch { notices })
}
