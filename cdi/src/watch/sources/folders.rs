//! Changes in folders, by inotify(7).

use std::{
    collections::BTreeSet,
    os::fd::{AsFd, BorrowedFd},
    path::{Path, PathBuf},
};

use nix::sys::inotify::{AddWatchFlags, InitFlags, Inotify, InotifyEvent, WatchDescriptor};

use super::{SourceError, is_drained};
use crate::watch::places::{Changes, Place, watchable};

/// The folders that are watched now.
#[derive(Debug)]
pub struct Folders {
    inotify: Inotify,
    watched: Vec<(WatchDescriptor, Place)>,
}

impl Folders {
    /// Watches nothing yet.
    ///
    /// # Errors
    /// [`SourceError::Folders`] when the system's limit of instances is reached.
    pub fn new() -> Result<Self, SourceError> {
        let inotify = Inotify::init(InitFlags::IN_NONBLOCK | InitFlags::IN_CLOEXEC).map_err(refused)?;
        Ok(Self { inotify, watched: Vec::new() })
    }

    /// Watches what can be watched of `wanted` and no other folder.
    ///
    /// A folder that vanishes meanwhile is awaited above it the next time. True if other folders are watched than
    /// before: what happened in them until now was not seen.
    ///
    /// # Errors
    /// [`SourceError::Folders`] when the system's limit of watches is reached.
    pub fn watch(&mut self, wanted: &[Place]) -> Result<bool, SourceError> {
        let places = watchable(wanted, Path::is_dir);
        let same: BTreeSet<_> = self.watched.iter().map(|(_, place)| place.clone()).collect();
        if same == places {
            return Ok(false);
        }
        // Adding first: a folder that stays is never unwatched in between, so no change is missed.
        let mut watched = Vec::new();
        for place in places {
            match self.inotify.add_watch(&place.folder, interests(place.changes)) {
                Ok(descriptor) => watched.push((descriptor, place)),
                Err(nix::Error::ENOENT | nix::Error::ENOTDIR) => {}
                Err(error) => return Err(refused(error)),
            }
        }
        let dropped = self.watched.iter().filter(|(old, _)| !watched.iter().any(|(new, _)| new == old));
        for (descriptor, _) in dropped {
            // The watch of a removed folder is gone already: nothing to do about that.
            let _gone = self.inotify.rm_watch(*descriptor);
        }
        self.watched = watched;
        Ok(true)
    }

    /// Reads all that has happened; true if any of it counts.
    pub fn drain(&mut self) -> bool {
        let mut counts = false;
        loop {
            match self.inotify.read_events() {
                Ok(events) => counts |= events.iter().any(|event| self.counts(event)),
                Err(error) => return counts || !is_drained(error),
            }
        }
    }

    fn counts(&mut self, event: &InotifyEvent) -> bool {
        if event.mask.intersects(AddWatchFlags::IN_IGNORED | AddWatchFlags::IN_Q_OVERFLOW) {
            self.watched.retain(|(descriptor, _)| *descriptor != event.wd);
            return true;
        }
        let name = event.name.as_ref().map(PathBuf::from);
        let mut places = self.watched.iter().filter(|(descriptor, _)| *descriptor == event.wd);
        places.any(|(_, place)| name.as_deref().is_none_or(|name| place.names.count(name)))
    }
}

impl AsFd for Folders {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.inotify.as_fd()
    }
}

fn interests(changes: Changes) -> AddWatchFlags {
    let written = match changes {
        Changes::Entries => AddWatchFlags::empty(),
        Changes::Contents => AddWatchFlags::IN_CLOSE_WRITE,
    };
    AddWatchFlags::IN_CREATE
        | AddWatchFlags::IN_DELETE
        | AddWatchFlags::IN_MOVED_FROM
        | AddWatchFlags::IN_MOVED_TO
        | AddWatchFlags::IN_ATTRIB
        | AddWatchFlags::IN_DELETE_SELF
        | AddWatchFlags::IN_MOVE_SELF
        | AddWatchFlags::IN_ONLYDIR
        // A folder may be two places: the second must not make the first one deaf.
        | AddWatchFlags::from_bits_retain(nix::libc::IN_MASK_ADD)
        | written
}

fn refused(error: nix::Error) -> SourceError {
    SourceError::Folders(error.into())
}

#[cfg(test)]
mod tests {
    #![expect(clippy::disallowed_methods, reason = "changes folders to see the changes told")]

    use std::fs;

    use super::*;
    use crate::watch::places::Names;

    fn all(folder: &Path) -> Place {
        Place { folder: folder.into(), names: Names::All, changes: Changes::Entries }
    }

    fn watching(wanted: &[Place]) -> Folders {
        let mut folders = Folders::new().expect("inotify");
        folders.watch(wanted).expect("folders");
        folders
    }

    #[test]
    fn what_appears_changes_or_goes_is_told_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut folders = watching(&[all(folder.path())]);
        assert!(!folders.drain());
        let file = folder.path().join("nvidia0");
        fs::write(&file, "").expect("a file");
        assert!(folders.drain() && !folders.drain());
        fs::remove_file(&file).expect("a file");
        assert!(folders.drain() && !folders.drain());
    }

    #[test]
    fn a_program_that_closes_a_node_is_no_change_and_a_written_file_is_one() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("nvidia0");
        fs::write(&file, "").expect("a file");
        let files = Place { changes: Changes::Contents, ..all(folder.path()) };
        for (place, counts) in [(all(folder.path()), false), (files, true)] {
            let mut folders = watching(&[place]);
            fs::write(&file, "x").expect("a file");
            assert_eq!(folders.drain(), counts);
        }
    }

    #[test]
    fn other_names_do_not_count() {
        let folder = tempfile::tempdir().expect("a folder");
        let nvidia = Names::Prefix("nvidia".into());
        let mut folders = watching(&[Place { names: nvidia, ..all(folder.path()) }]);
        fs::write(folder.path().join("sda"), "").expect("a file");
        assert!(!folders.drain());
    }

    #[test]
    fn a_folder_is_followed_through_coming_going_and_coming_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let caps = folder.path().join("run/nvidia/caps");
        let wanted = [all(&caps)];
        let mut folders = watching(&wanted);
        for _round in 0..2 {
            fs::create_dir_all(&caps).expect("folders");
            assert!(folders.drain(), "the way to it appeared");
            folders.watch(&wanted).expect("folders");
            fs::write(caps.join("nvidia-cap1"), "").expect("a file");
            assert!(folders.drain(), "something in it appeared");
            fs::remove_dir_all(folder.path().join("run")).expect("folders");
            assert!(folders.drain(), "it went");
            folders.watch(&wanted).expect("folders");
        }
    }

    #[test]
    fn what_is_not_wanted_any_more_is_not_watched() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut folders = watching(&[all(folder.path())]);
        folders.watch(&[]).expect("no folders");
        folders.drain();
        fs::write(folder.path().join("nvidia0"), "").expect("a file");
        assert!(!folders.drain());
    }
}
