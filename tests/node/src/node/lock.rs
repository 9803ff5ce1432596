//! One change at a time: a lock on a file of the root.
#![expect(clippy::disallowed_types, reason = "the lock is a file's")]

use std::{fs::File, path::Path};

use nix::fcntl::{Flock, FlockArg};

use super::{NodeError, record::FOLDER};

/// Waits until nobody else changes the node below `root`.
pub(super) fn lock(root: &Path) -> Result<Flock<File>, NodeError> {
    let path = root.join(FOLDER).join("lock");
    let file = File::create(&path).map_err(|source| NodeError::Lock(path.clone(), source))?;
    Flock::lock(file, FlockArg::LockExclusive).map_err(|(_, errno)| NodeError::Lock(path, errno.into()))
}
