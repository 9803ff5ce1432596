//! Paths below an injected root, never out of it.
//!
//! A path that begins with `/` means the same file as it does for a process whose root folder is this one: absolute
//! links and `..` stay inside, a loop of links is an error, names need not be UTF-8. The root folder itself is opened
//! once, by the operator's word (it may be a link); from then on it cannot be exchanged for another.

#![expect(clippy::disallowed_types, reason = "the door to all files of a host")]

mod entry;
mod error;
mod walk;

use std::{
    fs::{File, Metadata},
    io::{self, Read as _},
    os::fd::{AsFd as _, OwnedFd},
    path::{Path, PathBuf},
    sync::Arc,
};

use nix::{
    errno::Errno,
    fcntl::{self, OFlag, OpenHow, ResolveFlag},
    sys::stat::Mode,
};

pub use entry::{Entry, Kind};
pub use error::RootError;

/// How often an open is tried while others rename folders of the path (`EAGAIN` of openat2).
const OPEN_ATTEMPTS: u32 = 16;

/// A folder that stands for `/`; cheap to clone.
#[derive(Debug, Clone)]
pub struct Root {
    path: PathBuf,
    folder: Arc<OwnedFd>,
}

impl Root {
    /// The root at `path`, a path of this process.
    ///
    /// # Errors
    /// [`RootError::Root`] when it is missing, no folder or may not be entered.
    pub fn new(path: impl Into<PathBuf>) -> Result<Self, RootError> {
        let path = path.into();
        let flags = OFlag::O_PATH | OFlag::O_DIRECTORY | OFlag::O_CLOEXEC;
        // The second open asks for the right to enter the folder, which the first does not need.
        let entered = |folder: &OwnedFd| fcntl::openat(folder.as_fd(), ".", flags, Mode::empty());
        match fcntl::open(&path, flags, Mode::empty()).and_then(|folder| entered(&folder)) {
            Ok(folder) => Ok(Self { path, folder: Arc::new(folder) }),
            Err(errno) => Err(RootError::Root { path, source: errno.into() }),
        }
    }

    /// The root at `in_root`, a folder of this one, such as a driver container's.
    ///
    /// # Errors
    /// [`RootError`] when it is missing, no folder or may not be entered.
    pub fn below(&self, in_root: &Path) -> Result<Self, RootError> {
        let folder = self.open(in_root, OFlag::O_PATH | OFlag::O_DIRECTORY)?;
        let resolved = self.resolve(in_root)?;
        Ok(Self { path: self.on_disk(&resolved), folder: Arc::new(folder) })
    }

    /// Where this process sees the root.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where this process sees `in_root`, links not followed: for messages and for programs that follow no link.
    #[must_use]
    pub fn on_disk(&self, in_root: &Path) -> PathBuf {
        self.path.join(relative(in_root))
    }

    /// The path of `in_root` inside the root without any link, `.` or `..`; it exists.
    ///
    /// # Errors
    /// [`RootError::Access`] when it does not exist, cannot be reached or its links form a loop.
    pub fn resolve(&self, in_root: &Path) -> Result<PathBuf, RootError> {
        walk::walk(in_root, |path| self.link_text(path)).map_err(|source| self.error(in_root, source))
    }

    /// Opens `in_root`; no link leads out of the root.
    ///
    /// # Errors
    /// [`RootError::Access`] with the system's reason.
    pub fn open(&self, in_root: &Path, flags: OFlag) -> Result<OwnedFd, RootError> {
        self.open_inside(in_root, flags | OFlag::O_CLOEXEC).map_err(|errno| self.error(in_root, errno.into()))
    }

    fn open_inside(&self, in_root: &Path, flags: OFlag) -> nix::Result<OwnedFd> {
        let how = OpenHow::new()
            .flags(flags)
            .resolve(ResolveFlag::RESOLVE_IN_ROOT | ResolveFlag::RESOLVE_NO_MAGICLINKS);
        let mut attempts = 0..OPEN_ATTEMPTS;
        loop {
            match fcntl::openat2(self.folder.as_fd(), in_root, how) {
                Err(Errno::EAGAIN) if attempts.next().is_some() => {}
                // Linux before 5.6, and sandboxes that do not know the call.
                Err(Errno::ENOSYS) => return self.open_resolved(in_root, flags),
                answer => return answer,
            }
        }
    }

    fn open_resolved(&self, in_root: &Path, flags: OFlag) -> nix::Result<OwnedFd> {
        let resolved = walk::walk(in_root, |path| self.link_text(path))
            .map_err(|error| error.raw_os_error().map_or(Errno::EINVAL, Errno::from_raw))?;
        fcntl::openat(self.folder.as_fd(), relative(&resolved), flags | OFlag::O_NOFOLLOW, Mode::empty())
    }

    /// Facts of what `in_root` leads to.
    ///
    /// # Errors
    /// [`RootError::Access`] with the system's reason.
    pub fn metadata(&self, in_root: &Path) -> Result<Metadata, RootError> {
        self.facts(in_root, OFlag::O_PATH)
    }

    /// Facts of `in_root` itself, be it a link.
    ///
    /// # Errors
    /// [`RootError::Access`] with the system's reason.
    pub fn link_metadata(&self, in_root: &Path) -> Result<Metadata, RootError> {
        self.facts(in_root, OFlag::O_PATH | OFlag::O_NOFOLLOW)
    }

    fn facts(&self, in_root: &Path, flags: OFlag) -> Result<Metadata, RootError> {
        let file = File::from(self.open(in_root, flags)?);
        file.metadata().map_err(|source| self.error(in_root, source))
    }

    /// What the link `in_root` says, or `None` if it is no link.
    ///
    /// # Errors
    /// [`RootError::Access`] when it does not exist or cannot be reached.
    pub fn read_link(&self, in_root: &Path) -> Result<Option<PathBuf>, RootError> {
        let mut folder = self.resolve(in_root.parent().unwrap_or_else(|| Path::new("/")))?;
        folder.extend(in_root.file_name());
        self.link_text(&folder).map_err(|source| self.error(in_root, source))
    }

    /// What is in the file, as long as it holds at most `limit` bytes.
    ///
    /// # Errors
    /// [`RootError::TooLong`], or [`RootError::Access`] with the system's reason.
    pub fn read(&self, in_root: &Path, limit: usize) -> Result<Vec<u8>, RootError> {
        let file = File::from(self.open(in_root, OFlag::O_RDONLY | OFlag::O_NONBLOCK | OFlag::O_NOCTTY)?);
        let mut bytes = Vec::new();
        let allowed = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
        file.take(allowed).read_to_end(&mut bytes).map_err(|source| self.error(in_root, source))?;
        if bytes.len() > limit {
            return Err(RootError::TooLong { path: self.on_disk(in_root), limit });
        }
        Ok(bytes)
    }

    /// What is in the folder, sorted by name.
    ///
    /// # Errors
    /// [`RootError::Access`] with the system's reason.
    pub fn read_dir(&self, in_root: &Path) -> Result<Vec<Entry>, RootError> {
        self.read_dir_where(in_root, |_| true)
    }

    /// Those entries of the folder whose name `wanted` takes, sorted by name.
    ///
    /// # Errors
    /// [`RootError::Access`] with the system's reason.
    pub fn read_dir_where(
        &self,
        in_root: &Path,
        wanted: impl Fn(&[u8]) -> bool,
    ) -> Result<Vec<Entry>, RootError> {
        let folder = self.open(in_root, OFlag::O_RDONLY | OFlag::O_DIRECTORY)?;
        entry::list(folder, wanted).map_err(|source| self.error(in_root, source))
    }

    fn link_text(&self, in_root: &Path) -> io::Result<Option<PathBuf>> {
        match fcntl::readlinkat(self.folder.as_fd(), relative(in_root)) {
            Ok(text) => Ok(Some(text.into())),
            Err(Errno::EINVAL) => Ok(None),
            Err(errno) => Err(errno.into()),
        }
    }

    fn error(&self, in_root: &Path, source: io::Error) -> RootError {
        RootError::Access { path: self.on_disk(in_root), source }
    }
}

fn relative(in_root: &Path) -> &Path {
    match in_root.strip_prefix("/").unwrap_or(in_root) {
        empty if empty.as_os_str().is_empty() => Path::new("."),
        relative => relative,
    }
}

#[cfg(test)]
mod tests;
