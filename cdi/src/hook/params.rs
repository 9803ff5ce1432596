//! Telling the driver's libraries in the container to make no device nodes, whatever the host's setting says.
//!
//! The driver shows its settings in `/proc/driver/nvidia/params`. A read-only view of a changed copy is put over that
//! file: by descriptors, so that no path of the image is followed, and without a trace in the container's root.

#![expect(clippy::disallowed_types, reason = "writes to a file system of its own")]

use std::{
    fs::File,
    io::{self, Write as _},
    os::fd::{AsFd as _, OwnedFd},
    path::Path,
};

use nix::{
    fcntl::{self, OFlag},
    mount::{MntFlags, umount2},
    sys::stat::Mode,
    unistd::fchdir,
};

use super::{
    container::{Container, ContainerError},
    sys,
};

const PARAMS: &str = "/proc/driver/nvidia/params";
const FOLDER: &str = "/proc/driver/nvidia";
/// Bytes; the driver's file has about 1,000.
const MOST: usize = 64 << 10;
const ON: &str = "ModifyDeviceFiles: 1";
const OFF: &str = "ModifyDeviceFiles: 0";

/// Why the setting stays.
#[derive(Debug, thiserror::Error)]
pub enum ParamsError {
    /// The driver's file.
    #[error(transparent)]
    Container(#[from] ContainerError),
    /// The copy, or putting it in place.
    #[error(
        "cannot put a copy over {PARAMS} in the container; Linux 5.12 or newer and CAP_SYS_ADMIN are needed"
    )]
    Mount(#[source] io::Error),
}

/// The settings with the one that matters switched off; `None` if it is off, or not there.
#[must_use]
pub fn switched_off(params: &str) -> Option<String> {
    let mut changed = false;
    let lines = params.lines().map(|line| {
        let is_on = line.trim_end() == ON;
        changed |= is_on;
        if is_on { OFF } else { line }
    });
    let text = lines.fold(String::with_capacity(params.len()), |text, line| text + line + "\n");
    changed.then_some(text)
}

/// Puts the copy in place; returns whether that was needed.
///
/// # Errors
/// [`ParamsError`] when the driver's file is there and stays as it is.
pub fn keep_device_nodes(container: &Container) -> Result<bool, ParamsError> {
    let bytes = match container.read(Path::new(PARAMS), MOST) {
        Err(error) if error.is_missing() => return Ok(false),
        answer => answer?,
    };
    let Some(text) = switched_off(&String::from_utf8_lossy(&bytes)) else {
        return Ok(false);
    };
    let place = container.place(Path::new(PARAMS))?;
    let (folder, _) = container.folder(Path::new(FOLDER))?;
    let copy = copy_of(text.as_bytes(), &folder).map_err(ParamsError::Mount)?;
    sys::stand_at(copy.as_fd(), place.as_fd()).map_err(ParamsError::Mount)?;
    Ok(true)
}

/// A read-only file with these bytes that stands nowhere.
///
/// The kernel gives a view of a file only if its file system stands somewhere: it does so, over `folder`, for the
/// moment between two calls.
fn copy_of(bytes: &[u8], folder: &OwnedFd) -> io::Result<OwnedFd> {
    let memory = sys::detached(c"tmpfs", &[(c"size", c"1M"), (c"nr_inodes", c"8"), (c"mode", c"0555")])?;
    let flags = OFlag::O_WRONLY | OFlag::O_CREAT | OFlag::O_EXCL | OFlag::O_CLOEXEC;
    let file = fcntl::openat(&memory, "params", flags, Mode::from_bits_truncate(0o444))?;
    File::from(file).write_all(bytes)?;
    sys::stand_at(memory.as_fd(), folder.as_fd())?;
    let view = sys::view_of(memory.as_fd(), c"params");
    // The file system's root as current folder: the one path to it that no image can change.
    fchdir(&memory)?;
    umount2(".", MntFlags::MNT_DETACH)?;
    let view = view?;
    sys::make_read_only(view.as_fd())?;
    Ok(view)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_one_setting_changes_and_only_if_it_is_on() {
        let on = "ResmanDebugLevel: 4294967295\nModifyDeviceFiles: 1\nDeviceFileUID: 0\n";
        let off = on.replace("Files: 1", "Files: 0");
        assert_eq!(switched_off(on).as_deref(), Some(off.as_str()));
        assert_eq!(switched_off(&off), None);
        assert_eq!(switched_off(""), None);
        assert_eq!(switched_off("XModifyDeviceFiles: 1\nModifyDeviceFiles: 12"), None);
    }
}
