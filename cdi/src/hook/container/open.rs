//! The root, and opening what lies below it.

#![expect(clippy::disallowed_types, reason = "the door to a container's files")]

use std::{
    cell::OnceCell,
    ffi::OsStr,
    fs::File,
    io::Read as _,
    os::fd::{AsFd as _, AsRawFd as _, OwnedFd},
    path::{Component, Path},
};

use nix::{
    errno::Errno,
    fcntl::{self, OFlag, OpenHow, ResolveFlag},
    sys::{
        stat::{FileStat, Mode, SFlag, fstat, stat},
        statfs::{PROC_SUPER_MAGIC, fstatfs},
    },
};

use super::ContainerError;
use crate::hook::sys;

/// How often an open is tried while others rename folders of the path (`EAGAIN` of openat2).
const OPEN_ATTEMPTS: u32 = 64;

/// Which file it is, under whatever name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId {
    device: u64,
    inode: u64,
}

impl FileId {
    pub(super) fn of(stat: &FileStat) -> Self {
        Self { device: stat.st_dev, inode: stat.st_ino }
    }
}

/// A container's root folder.
#[derive(Debug)]
pub struct Container {
    root: OwnedFd,
    /// `/proc/self/fd` of a view of processes that no image can touch, made when first needed.
    descriptors: OnceCell<OwnedFd>,
}

impl Container {
    /// The root at `path`, a path of the host that the runtime named.
    ///
    /// # Errors
    /// [`ContainerError`] when it cannot be opened, is the host's own root, or the kernel lacks openat2.
    pub fn open(path: &Path) -> Result<Self, ContainerError> {
        let failed = |errno: Errno| ContainerError::Root { path: path.into(), source: errno.into() };
        let flags = OFlag::O_PATH | OFlag::O_DIRECTORY | OFlag::O_CLOEXEC;
        let root = fcntl::open(path, flags, Mode::empty()).map_err(failed)?;
        let id = fstat(&root).map(|stat| FileId::of(&stat)).map_err(failed)?;
        if stat("/").map(|host| FileId::of(&host)) == Ok(id) {
            return Err(ContainerError::HostRoot(path.into()));
        }
        let container = Self { root, descriptors: OnceCell::new() };
        container
            .at(Path::new("/"), OFlag::O_PATH)
            .map_err(|errno| if errno == Errno::ENOSYS { ContainerError::Kernel } else { failed(errno) })?;
        Ok(container)
    }

    /// Resolves `path` below the root and opens it with `flags`.
    pub(super) fn at(&self, path: &Path, flags: OFlag) -> nix::Result<OwnedFd> {
        let how = OpenHow::new()
            .flags(flags | OFlag::O_CLOEXEC)
            .resolve(ResolveFlag::RESOLVE_IN_ROOT | ResolveFlag::RESOLVE_NO_MAGICLINKS);
        let mut attempts = 0..OPEN_ATTEMPTS;
        loop {
            match fcntl::openat2(self.root.as_fd(), path, how) {
                Err(Errno::EAGAIN) if attempts.next().is_some() => {}
                answer => return answer,
            }
        }
    }

    /// The place of `path`, for looking at it or mounting on it.
    ///
    /// # Errors
    /// [`ContainerError`] when nothing is there.
    pub fn place(&self, path: &Path) -> Result<OwnedFd, ContainerError> {
        self.at(path, OFlag::O_PATH).map_err(|errno| ContainerError::access("find", path, errno))
    }

    /// Whether something is at `path`, links followed.
    #[must_use]
    pub fn has(&self, path: &Path) -> bool {
        self.at(path, OFlag::O_PATH).is_ok()
    }

    /// The folder at `path` and which one it is.
    ///
    /// # Errors
    /// [`ContainerError`] when it cannot be read or is none.
    pub fn folder(&self, path: &Path) -> Result<(OwnedFd, FileId), ContainerError> {
        let failed = |errno| ContainerError::access("read", path, errno);
        let folder = self.at(path, OFlag::O_RDONLY | OFlag::O_DIRECTORY).map_err(failed)?;
        let id = fstat(&folder).map(|stat| FileId::of(&stat)).map_err(failed)?;
        Ok((folder, id))
    }

    /// Which regular file is at `path`, links followed, and its place.
    ///
    /// # Errors
    /// [`ContainerError`] when nothing or something else is there.
    pub fn regular(&self, path: &Path) -> Result<(OwnedFd, FileId), ContainerError> {
        if_regular(self.place(path)?, path)
    }

    /// The same for a name in a folder that is open, a link not followed.
    ///
    /// # Errors
    /// [`ContainerError`] when nothing or something else is there.
    pub fn regular_in(&self, folder: &OwnedFd, name: &OsStr) -> Result<(OwnedFd, FileId), ContainerError> {
        let path = Path::new(name);
        if path.components().ne([Component::Normal(name)]) {
            return Err(ContainerError::NoName(path.into()));
        }
        let flags = OFlag::O_PATH | OFlag::O_NOFOLLOW | OFlag::O_CLOEXEC;
        let place = fcntl::openat(folder, name, flags, Mode::empty());
        if_regular(place.map_err(|errno| ContainerError::access("find", path, errno))?, path)
    }

    /// Opens for reading what [`Self::regular`] found, no matter what its name stands for by now.
    ///
    /// # Errors
    /// [`ContainerError`] when it may not be read.
    pub fn reopen(&self, place: &OwnedFd, path: &Path) -> Result<File, ContainerError> {
        let number = place.as_raw_fd().to_string();
        let flags = OFlag::O_RDONLY | OFlag::O_NONBLOCK | OFlag::O_NOCTTY | OFlag::O_CLOEXEC;
        fcntl::openat(self.descriptors()?, number.as_str(), flags, Mode::empty())
            .map(File::from)
            .map_err(|errno| ContainerError::access("read", path, errno))
    }

    /// The content of the regular file at `path`, links followed.
    ///
    /// # Errors
    /// [`ContainerError`] when there is none, or it holds more than `limit` bytes.
    pub fn read(&self, path: &Path, limit: usize) -> Result<Vec<u8>, ContainerError> {
        let (place, _) = self.regular(path)?;
        let mut bytes = Vec::new();
        self.reopen(&place, path)?
            .take(u64::try_from(limit).map_or(u64::MAX, |limit| limit.saturating_add(1)))
            .read_to_end(&mut bytes)
            .map_err(|source| ContainerError::Access { action: "read", path: path.into(), source })?;
        if bytes.len() > limit {
            return Err(ContainerError::TooLong { path: path.into(), limit });
        }
        Ok(bytes)
    }

    fn descriptors(&self) -> Result<&OwnedFd, ContainerError> {
        if let Some(folder) = self.descriptors.get() {
            return Ok(folder);
        }
        let made = processes().map_err(|errno| ContainerError::Processes(errno.into()))?;
        Ok(self.descriptors.get_or_init(|| made))
    }
}

fn if_regular(place: OwnedFd, path: &Path) -> Result<(OwnedFd, FileId), ContainerError> {
    let stat = fstat(&place).map_err(|errno| ContainerError::access("find", path, errno))?;
    match SFlag::from_bits_truncate(stat.st_mode) & SFlag::S_IFMT {
        SFlag::S_IFREG => Ok((place, FileId::of(&stat))),
        _ => Err(ContainerError::NotRegular(path.into())),
    }
}

/// `/proc/self/fd` of a private proc, else (not allowed in some user namespaces) of the host's.
fn processes() -> nix::Result<OwnedFd> {
    let flags = OFlag::O_PATH | OFlag::O_DIRECTORY | OFlag::O_CLOEXEC;
    let processes = match sys::detached(c"proc", &[]) {
        Ok(processes) => processes,
        Err(_) => fcntl::open("/proc", flags, Mode::empty())?,
    };
    if fstatfs(&processes)?.filesystem_type() != PROC_SUPER_MAGIC {
        return Err(Errno::ENOTSUP);
    }
    fcntl::openat(&processes, "self/fd", flags, Mode::empty())
}
