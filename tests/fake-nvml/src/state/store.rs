//! The directory that holds a state: `state.json`, `lock` and `generation`.
#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the state lives in files; this is where they are read and written"
)]

use std::{
    convert::Infallible,
    fs::{self, File, OpenOptions},
    io,
    os::unix::fs::{FileExt, OpenOptionsExt},
    path::{Path, PathBuf},
};

use nix::fcntl::{Flock, FlockArg};

use super::{ConfigError, Counter, FORM, NodeConfig, State, follow::follow};

const STATE: &str = "state.json";
const LOCK: &str = "lock";
/// Eight bytes, little endian: what [`Counter`] maps.
pub(super) const GENERATION: &str = "generation";

/// A directory with a state in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Store {
    directory: PathBuf,
}

/// Why a state could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The directory or a file in it.
    #[error("cannot use {path}; check that the directory holds a node's state and who may write there")]
    File {
        /// Which.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// The file is no state.
    #[error("{path} is not a state; create the node anew")]
    Form {
        /// Which.
        path: PathBuf,
        /// What is wrong.
        source: serde_json::Error,
    },
    /// The state was written by another version.
    #[error("{path} has form {found}, wants {FORM}; create the node anew")]
    Version {
        /// Which.
        path: PathBuf,
        /// Its form.
        found: u32,
    },
    /// The node cannot be made.
    #[error(transparent)]
    Config(#[from] ConfigError),
}

/// Why an update did not happen; the state is as it was.
#[derive(Debug, thiserror::Error)]
pub enum UpdateError<E> {
    /// The files.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The change itself was refused.
    #[error("the change was refused")]
    Refused(#[source] E),
}

impl Store {
    /// Makes the directory if need be, and in it the state of a new node; an old state there is replaced.
    ///
    /// # Errors
    /// [`StoreError::Config`] when the node cannot be made, [`StoreError::File`] when it cannot be written.
    pub fn create(directory: &Path, config: &NodeConfig) -> Result<Self, StoreError> {
        let mut state = config.state()?;
        fs::create_dir_all(directory)
            .map_err(|source| StoreError::File { path: directory.into(), source })?;
        let store = Self::at(directory);
        let _lock = store.lock()?;
        state.generation = store.counted() + 1;
        store.write(&state)?;
        Ok(store)
    }

    /// The state of a node that was made before.
    ///
    /// # Errors
    /// When there is none.
    pub fn open(directory: &Path) -> Result<Self, StoreError> {
        let store = Self::at(directory);
        store.read()?;
        Ok(store)
    }

    /// A directory that was not looked at yet: a fault shows when it is read.
    #[must_use]
    pub fn at(directory: &Path) -> Self {
        Self { directory: directory.into() }
    }

    /// Where it is.
    #[must_use]
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// The state as it is now: always one that a writer left whole.
    ///
    /// # Errors
    /// When there is no state, or none of this form.
    pub fn read(&self) -> Result<State, StoreError> {
        let path = self.directory.join(STATE);
        let bytes = fs::read(&path).map_err(|source| StoreError::File { path: path.clone(), source })?;
        match serde_json::from_slice::<State>(&bytes) {
            Ok(state) if state.form == FORM => Ok(state),
            Ok(state) => Err(StoreError::Version { path, found: state.form }),
            Err(source) => Err(StoreError::Form { path, source }),
        }
    }

    /// Changes the state; nobody else changes it meanwhile. A refused change leaves it as it was.
    ///
    /// # Errors
    /// [`UpdateError::Refused`] with the refusal of `change`; [`UpdateError::Store`] for the files.
    pub fn update<T, E>(&self, change: impl FnOnce(&mut State) -> Result<T, E>) -> Result<T, UpdateError<E>> {
        let _lock = self.lock()?;
        let before = self.read()?;
        let mut state = before.clone();
        let answer = change(&mut state).map_err(UpdateError::Refused)?;
        if state != before {
            follow(&before, &mut state);
            state.generation = before.generation + 1;
            self.write(&state)?;
        }
        Ok(answer)
    }

    /// Changes the state in a way that cannot be refused; see [`Store::update`].
    ///
    /// # Errors
    /// For the files.
    pub fn edit(&self, edit: impl FnOnce(&mut State)) -> Result<(), StoreError> {
        let edited = self.update(|state| {
            edit(state);
            Ok::<(), Infallible>(())
        });
        edited.map_err(|error| match error {
            UpdateError::Store(error) => error,
            UpdateError::Refused(never) => match never {},
        })
    }

    fn lock(&self) -> Result<Flock<File>, StoreError> {
        let path = self.directory.join(LOCK);
        let opened = OpenOptions::new().create(true).truncate(false).write(true).mode(0o666).open(&path);
        let locked = opened.and_then(|file| {
            Flock::lock(file, FlockArg::LockExclusive).map_err(|(_, errno)| io::Error::from(errno))
        });
        locked.map_err(|source| StoreError::File { path, source })
    }

    /// State first, counter last: who sees the new count finds the new state.
    fn write(&self, state: &State) -> Result<(), StoreError> {
        let path = self.directory.join(STATE);
        let temporary = self.directory.join(".state.json.new");
        let bytes =
            serde_json::to_vec(state).map_err(|source| StoreError::Form { path: path.clone(), source })?;
        fs::write(&temporary, bytes)
            .and_then(|()| fs::rename(&temporary, &path))
            .and_then(|()| self.count(state.generation))
            .map_err(|source| StoreError::File { path, source })
    }

    fn count(&self, generation: u64) -> io::Result<()> {
        let path = self.directory.join(GENERATION);
        let file = OpenOptions::new().create(true).truncate(false).write(true).open(path)?;
        file.write_all_at(&generation.to_le_bytes(), 0)
    }

    fn counted(&self) -> u64 {
        Counter::open(&self.directory).map_or(0, |counter| counter.now())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn store() -> (tempfile::TempDir, Store) {
        let directory = tempfile::tempdir().expect("a directory");
        let store = Store::create(directory.path(), &NodeConfig::uniform("t4", 2)).expect("a node");
        (directory, store)
    }

    #[test]
    fn a_refused_change_leaves_no_trace() {
        let (_directory, store) = store();
        let before = store.read().expect("a state");
        let refused = store.update(|state| {
            state.gpus.clear();
            Err::<(), _>("no")
        });
        assert!(matches!(refused, Err(UpdateError::Refused("no"))));
        assert_eq!(store.read().expect("a state"), before);
    }

    #[test]
    fn every_change_raises_the_counter_and_a_change_of_nothing_does_not() {
        let (directory, store) = store();
        let counter = Counter::open(directory.path()).expect("a counter");
        let first = counter.now();
        store.edit(|_| {}).expect("nothing");
        assert_eq!(counter.now(), first);
        store.edit(|state| state.faults.version_mismatch = true).expect("a change");
        assert_eq!(counter.now(), first + 1);
    }

    #[test]
    fn a_node_made_anew_in_the_same_place_is_seen_by_who_looked_at_the_old_one() {
        let (directory, store) = store();
        let counter = Counter::open(directory.path()).expect("a counter");
        let first = counter.now();
        store.edit(|state| state.gpus.clear()).expect("a change");
        Store::create(directory.path(), &NodeConfig::uniform("t4", 1)).expect("a node");
        assert!(counter.now() > first + 1);
    }

    #[test]
    fn writers_do_not_lose_each_others_changes() {
        let (_directory, store) = store();
        std::thread::scope(|scope| {
            for _writer in 0..4 {
                scope.spawn(|| {
                    for _change in 0..25 {
                        store.edit(|state| state.faults.slow_call_ms += 1).expect("a change");
                    }
                });
            }
        });
        assert_eq!(store.read().expect("a state").faults.slow_call_ms, 100);
    }

    #[test]
    fn what_is_no_state_is_named_with_its_path() {
        let (directory, store) = store();
        fs::write(directory.path().join(STATE), "{}").expect("a broken file");
        let error = store.read().expect_err("no state");
        assert!(error.to_string().ends_with("state.json is not a state; create the node anew"), "{error}");
        Store::open(&directory.path().join("absent")).expect_err("nothing there");
    }
}
