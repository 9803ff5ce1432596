//! The file in which new content grows: `.NAME.berth-new` beside the final one.
//!
//! There is one such name a target and a lock on the file while it is written, so writers take turns, and what a
//! killed writer left is taken over by the next one instead of being added to. Runtimes do not read the name: it
//! ends neither in `.json` nor in `.yaml`.

#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "this module writes the files that a caller decided on"
)]

use std::{
    ffi::OsString,
    fs::{self, File, OpenOptions, Permissions},
    io::{self, Write},
    os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt},
    path::{Path, PathBuf},
};

use nix::libc;

/// Only root may open it while it grows, so that nobody else can hold its lock.
const GROWING_MODE: u32 = 0o600;

/// A temporary file, locked by this process and empty; removed when dropped, unless it was put in place.
#[derive(Debug)]
pub(super) struct Temporary {
    path: PathBuf,
    file: File,
    placed: bool,
}

impl Temporary {
    /// The name beside `target`.
    pub(super) fn path_for(target: &Path) -> PathBuf {
        let mut name = OsString::from(".");
        name.push(target.file_name().unwrap_or_default());
        name.push(".berth-new");
        target.with_file_name(name)
    }

    /// Opens and locks the file for `target`, waiting for a writer that is at it.
    pub(super) fn open(target: &Path) -> io::Result<Self> {
        let path = Self::path_for(target);
        loop {
            let file = OpenOptions::new()
                .write(true)
                .create(true)
                .truncate(false)
                .mode(GROWING_MODE)
                // Not through a link, and no waiting for a pipe's reader.
                .custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK)
                .open(&path)?;
            check_own(&file)?;
            file.lock()?;
            // While this process waited, the other one may have put this very file in place.
            if is_at(&file, &path)? {
                let temporary = Self { path, file, placed: false };
                temporary.file.set_permissions(Permissions::from_mode(GROWING_MODE))?;
                temporary.file.set_len(0)?;
                return Ok(temporary);
            }
        }
    }

    /// Fills it, makes it durable and renames it to `target` at `mode`.
    pub(super) fn place(mut self, target: &Path, bytes: &[u8], mode: u32) -> io::Result<()> {
        self.file.write_all(bytes)?;
        self.file.set_permissions(Permissions::from_mode(mode))?;
        self.file.sync_all()?;
        fs::rename(&self.path, target)?;
        self.placed = true;
        Ok(())
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if !self.placed {
            // What stays when this fails is taken over by the next writer.
            drop(fs::remove_file(&self.path));
        }
    }
}

/// In a folder where others may write, somebody else's file is not trusted with content or lock.
fn check_own(file: &File) -> io::Result<()> {
    let metadata = file.metadata()?;
    if metadata.is_file() && metadata.uid() == nix::unistd::geteuid().as_raw() && metadata.nlink() <= 1 {
        return Ok(());
    }
    Err(io::Error::new(
        io::ErrorKind::AlreadyExists,
        "the temporary file's name is taken by a file of somebody else",
    ))
}

fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    let open = file.metadata()?;
    match fs::symlink_metadata(path) {
        Ok(named) => Ok((open.dev(), open.ino()) == (named.dev(), named.ino())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}
