//! Making folders, links and files: a new one takes the place of its name, and nothing else is left.

#![expect(clippy::disallowed_types, reason = "the door to a container's files")]

use std::{
    ffi::OsStr,
    fs::File,
    io::Write as _,
    os::fd::OwnedFd,
    path::{Path, PathBuf},
};

use nix::{
    errno::Errno,
    fcntl::{self, OFlag, readlinkat, renameat},
    sys::stat::{Mode, fstat, mkdirat, stat},
    unistd::{UnlinkatFlags, symlinkat, unlinkat},
};

use super::{Container, ContainerError, FileId};

/// One name a folder, always the same: what a killed hook leaves is taken away by the next one.
const TEMPORARY: &str = ".berth-cdi-hook.new";
/// How often somebody else's file of that name is taken away.
const ATTEMPTS: u32 = 16;
const FOLDER_MODE: u32 = 0o755;

impl Container {
    /// Lets `link` say `target`, text that only the container's programs follow; its folders are made.
    ///
    /// Returns whether anything changed.
    ///
    /// # Errors
    /// [`ContainerError`]; what stood there before still does.
    pub fn put_link(&self, link: &Path, target: &Path) -> Result<bool, ContainerError> {
        let (folder, name) = self.folder_for(link, FOLDER_MODE)?;
        let failed = |errno| ContainerError::access("make the link", link, errno);
        if readlinkat(&folder, name).is_ok_and(|says| says == target.as_os_str()) {
            return Ok(false);
        }
        fresh(&folder, || symlinkat(target, &folder, TEMPORARY)).map_err(failed)?;
        take_the_place(&folder, name).map_err(failed)?;
        Ok(true)
    }

    /// Lets a new file with these bytes and this mode stand at `path`; its folders are made.
    ///
    /// Returns whether anything changed: a file that holds the same bytes stays.
    ///
    /// # Errors
    /// [`ContainerError`]; what stood there before still does.
    pub fn put_file(&self, path: &Path, bytes: &[u8], mode: Modes) -> Result<bool, ContainerError> {
        if self.read(path, bytes.len()).is_ok_and(|held| held == bytes) {
            return Ok(false);
        }
        let (folder, name) = self.folder_for(path, mode.folder)?;
        let failed = |errno| ContainerError::access("write", path, errno);
        let flags = OFlag::O_WRONLY | OFlag::O_CREAT | OFlag::O_EXCL | OFlag::O_NOFOLLOW | OFlag::O_CLOEXEC;
        let new =
            fresh(&folder, || fcntl::openat(&folder, TEMPORARY, flags, Mode::from_bits_truncate(mode.file)));
        let written = File::from(new.map_err(failed)?).write_all(bytes);
        if let Err(source) = written {
            discard(&folder);
            return Err(ContainerError::Access { action: "write", path: path.into(), source });
        }
        take_the_place(&folder, name).map_err(failed)?;
        Ok(true)
    }

    /// Takes the name `path` away, if it is there: a link or a file, never what a link leads to.
    ///
    /// # Errors
    /// [`ContainerError`] when it stays.
    pub fn remove(&self, path: &Path) -> Result<(), ContainerError> {
        let (parent, name) = parts(path)?;
        let folder = match self.at(parent, OFlag::O_PATH | OFlag::O_DIRECTORY) {
            Err(Errno::ENOENT | Errno::ENOTDIR) => return Ok(()),
            answer => answer.map_err(|errno| ContainerError::access("remove", path, errno))?,
        };
        not_the_hosts(&folder, parent)?;
        match unlinkat(&folder, name, UnlinkatFlags::NoRemoveDir) {
            Ok(()) | Err(Errno::ENOENT) => Ok(()),
            Err(errno) => Err(ContainerError::access("remove", path, errno)),
        }
    }

    fn folder_for<'a>(&self, path: &'a Path, mode: u32) -> Result<(OwnedFd, &'a OsStr), ContainerError> {
        let (parent, name) = parts(path)?;
        let folder = self.make_folders(parent, mode)?;
        not_the_hosts(&folder, parent)?;
        Ok((folder, name))
    }

    /// Each step is resolved from the root again: a folder that is exchanged meanwhile is another one in the container.
    fn make_folders(&self, path: &Path, mode: u32) -> Result<OwnedFd, ContainerError> {
        let open = |path: &Path| self.at(path, OFlag::O_PATH | OFlag::O_DIRECTORY);
        let failed = |errno| ContainerError::access("make the folder", path, errno);
        match open(path) {
            Err(Errno::ENOENT) => {}
            answer => return answer.map_err(failed),
        }
        let mut reached = PathBuf::from("/");
        let mut folder = open(&reached).map_err(failed)?;
        for step in path.strip_prefix("/").unwrap_or(path) {
            reached.push(step);
            folder = match open(&reached) {
                Err(Errno::ENOENT) => match mkdirat(&folder, step, Mode::from_bits_truncate(mode)) {
                    Ok(()) | Err(Errno::EEXIST) => open(&reached),
                    Err(errno) => Err(errno),
                },
                answer => answer,
            }
            .map_err(failed)?;
        }
        Ok(folder)
    }
}

/// Permission bits of what is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Modes {
    /// Of the file.
    pub file: u32,
    /// Of folders on the way to it that are missing.
    pub folder: u32,
}

impl Modes {
    /// Everybody reads, root writes.
    pub const PLAIN: Self = Self { file: 0o644, folder: FOLDER_MODE };
    /// Everybody reads, nobody writes.
    pub const FIXED: Self = Self { file: 0o444, folder: 0o555 };
}

fn parts(path: &Path) -> Result<(&Path, &OsStr), ContainerError> {
    path.parent().zip(path.file_name()).ok_or_else(|| ContainerError::NoName(path.into()))
}

fn not_the_hosts(folder: &OwnedFd, path: &Path) -> Result<(), ContainerError> {
    let id = fstat(folder).map_err(|errno| ContainerError::access("look at", path, errno))?;
    if stat(path).is_ok_and(|host| FileId::of(&host) == FileId::of(&id)) {
        return Err(ContainerError::HostFolder(path.into()));
    }
    Ok(())
}

fn fresh<T>(folder: &OwnedFd, make: impl Fn() -> nix::Result<T>) -> nix::Result<T> {
    let mut attempts = 0..ATTEMPTS;
    loop {
        match make() {
            Err(Errno::EEXIST) if attempts.next().is_some() => {
                unlinkat(folder, TEMPORARY, UnlinkatFlags::NoRemoveDir)?;
            }
            answer => return answer,
        }
    }
}

fn take_the_place(folder: &OwnedFd, name: &OsStr) -> nix::Result<()> {
    renameat(folder, TEMPORARY, folder, name).inspect_err(|_| discard(folder))
}

fn discard(folder: &OwnedFd) {
    // Whoever made it first: it is in the way of the next hook alone, which tries the same.
    unlinkat(folder, TEMPORARY, UnlinkatFlags::NoRemoveDir).unwrap_or(());
}
