//! What a folder of the container holds.

use std::{
    ffi::{OsStr, OsString},
    os::{fd::OwnedFd, unix::ffi::OsStrExt as _},
    path::Path,
};

use nix::{
    dir::{Dir, Type},
    fcntl::{AtFlags, readlinkat},
    sys::stat::{FileStat, SFlag, fstatat},
};

use super::{Container, ContainerError, FileId};

/// Names looked at in one folder; the largest library folders of distributions have 5,000.
const MOST_NAMES: usize = 50_000;

/// What a name stands for, links not followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A symbolic link.
    Link,
    /// A device, pipe or socket.
    Other,
}

/// One name in a folder.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Named {
    /// As the file system has it; need not be UTF-8.
    pub name: OsString,
    /// What it stands for.
    pub kind: Kind,
}

impl Container {
    /// The names in the folder at `path` that `wanted` takes, sorted, and which folder it is.
    ///
    /// # Errors
    /// [`ContainerError`] when it is no folder, cannot be read or holds too many names.
    pub fn list(
        &self,
        path: &Path,
        wanted: impl Fn(&[u8]) -> bool,
    ) -> Result<(Vec<Named>, FileId), ContainerError> {
        let (folder, id) = self.folder(path)?;
        Ok((names(folder, path, wanted)?, id))
    }

    /// What the link `name` of an open folder says; `None` if it is none.
    #[must_use]
    pub fn link_text(&self, folder: &OwnedFd, name: &OsStr) -> Option<OsString> {
        readlinkat(folder, name).ok()
    }

    /// Mode and numbers of `name` in an open folder, a link not followed.
    ///
    /// # Errors
    /// [`ContainerError`] when it is gone.
    pub fn facts(&self, folder: &OwnedFd, name: &OsStr) -> Result<FileStat, ContainerError> {
        fstatat(folder, name, AtFlags::AT_SYMLINK_NOFOLLOW)
            .map_err(|errno| ContainerError::access("look at", Path::new(name), errno))
    }
}

fn names(folder: OwnedFd, path: &Path, wanted: impl Fn(&[u8]) -> bool) -> Result<Vec<Named>, ContainerError> {
    let failed = |errno| ContainerError::access("read", path, errno);
    let mut folder = Dir::from_fd(folder).map_err(failed)?;
    let (mut found, mut untold, mut seen) = (Vec::new(), Vec::new(), 0_usize);
    for entry in folder.iter() {
        let entry = entry.map_err(failed)?;
        let name = entry.file_name().to_bytes();
        seen += 1;
        if seen > MOST_NAMES {
            return Err(ContainerError::TooMany { path: path.into(), limit: MOST_NAMES });
        }
        if !matches!(name, b"." | b"..") && wanted(name) {
            let name = OsStr::from_bytes(name).to_owned();
            match entry.file_type() {
                Some(told) => found.push(Named { name, kind: kind(told) }),
                None => untold.push(name),
            }
        }
    }
    for name in untold {
        let stat = fstatat(&folder, name.as_os_str(), AtFlags::AT_SYMLINK_NOFOLLOW).map_err(failed)?;
        found.push(Named { name, kind: kind_of(&stat) });
    }
    found.sort_unstable();
    Ok(found)
}

fn kind(told: Type) -> Kind {
    match told {
        Type::File => Kind::File,
        Type::Directory => Kind::Folder,
        Type::Symlink => Kind::Link,
        Type::CharacterDevice | Type::BlockDevice | Type::Fifo | Type::Socket => Kind::Other,
    }
}

fn kind_of(stat: &FileStat) -> Kind {
    match SFlag::from_bits_truncate(stat.st_mode) & SFlag::S_IFMT {
        SFlag::S_IFREG => Kind::File,
        SFlag::S_IFDIR => Kind::Folder,
        SFlag::S_IFLNK => Kind::Link,
        _ => Kind::Other,
    }
}
