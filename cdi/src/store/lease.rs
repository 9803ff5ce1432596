//! Who writes a file: one process at a time, named to whoever else wants to.
//!
//! The lock lies in a folder of its own (`/run/berth`), which only root may read: a lock on the spec or its folder
//! could be taken by any user who may read it. It ends with the process, however that ends.

#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "this module holds the lock that a caller decided on"
)]

use std::{
    fs::{self, DirBuilder, File, OpenOptions, TryLockError},
    io::{self, Write},
    os::unix::{
        ffi::OsStrExt,
        fs::{DirBuilderExt, OpenOptionsExt},
    },
    path::{Path, PathBuf},
};

use nix::libc;

/// The right to write a file, until dropped.
#[derive(Debug)]
pub struct Lease {
    /// Locked; the file stays behind, empty of meaning without the lock.
    _lock: File,
}

/// Why the right was not had.
#[derive(Debug, thiserror::Error)]
pub enum LeaseError {
    /// Somebody else writes it.
    #[error("{target} is written by {holder}; stop that one first, or name another file")]
    Held {
        /// The spec file.
        target: PathBuf,
        /// Process id and program, as that one wrote them.
        holder: String,
    },
    /// The lock's folder or file refused.
    #[error("cannot take the lock {lock}; check permissions")]
    Lock {
        /// The lock file.
        lock: PathBuf,
        /// The system's reason.
        #[source]
        source: io::Error,
    },
}

impl Lease {
    /// Takes the right to write `target`, by a lock below `runtime` that names `holder`.
    ///
    /// # Errors
    /// [`LeaseError::Held`] when somebody has it, [`LeaseError::Lock`] when the lock cannot be had at all.
    pub fn take(runtime: &Path, target: &Path, holder: &str) -> Result<Self, LeaseError> {
        let lock = runtime.join(lock_name(target));
        let failed = |source| LeaseError::Lock { lock: lock.clone(), source };
        DirBuilder::new().recursive(true).mode(0o700).create(runtime).map_err(failed)?;
        let mut file = OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(false)
            .mode(0o600)
            .custom_flags(libc::O_NOFOLLOW)
            .open(&lock)
            .map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(held(target, &lock)),
            Err(TryLockError::Error(source)) => return Err(failed(source)),
        }
        file.set_len(0).and_then(|()| writeln!(file, "{holder}")).map_err(failed)?;
        Ok(Self { _lock: file })
    }
}

fn held(target: &Path, lock: &Path) -> LeaseError {
    let holder = fs::read_to_string(lock).unwrap_or_default();
    let holder = match holder.trim() {
        "" => "another process".to_owned(),
        named => named.to_owned(),
    };
    LeaseError::Held { target: target.into(), holder }
}

/// One name a path: what is no letter, digit, `-` or `_` stands as `%` and its two hexadecimal digits.
fn lock_name(target: &Path) -> String {
    let mut name = String::new();
    for &byte in target.as_os_str().as_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' => name.push(char::from(byte)),
            _ => name.push_str(&format!("%{byte:02x}")),
        }
    }
    name.push_str(".lock");
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_writer_is_told_who_the_first_is_until_that_one_ends() {
        let runtime = tempfile::tempdir().expect("a folder");
        let target = Path::new("/var/run/cdi/nvidia.yaml");
        let first = Lease::take(runtime.path(), target, "berth-cdi watch, process 7").expect("free");
        let error = Lease::take(runtime.path(), target, "x").expect_err("held");
        assert_eq!(
            error.to_string(),
            "/var/run/cdi/nvidia.yaml is written by berth-cdi watch, process 7; stop that one first, or name another file"
        );
        Lease::take(runtime.path(), Path::new("/var/run/cdi/other.yaml"), "x").expect("another file");
        drop(first);
        Lease::take(runtime.path(), target, "x").expect("free again");
    }

    #[test]
    fn no_two_paths_share_a_lock() {
        let names: std::collections::BTreeSet<_> =
            ["/a/b", "/a_b", "/a%2fb", "/a-b"].map(|path| lock_name(Path::new(path))).into();
        assert_eq!(names.len(), 4);
    }
}
