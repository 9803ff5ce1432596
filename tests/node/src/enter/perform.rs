//! Performs the steps of a plan, in the mount namespace of the calling thread.
#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "makes the points to mount on")]

use std::{
    ffi::OsString,
    fs::{self, File},
    io,
    path::{Path, PathBuf},
};

use nix::{
    mount::{MsFlags, mount},
    unistd::gettid,
};

use super::plan::Step;

/// A step that failed.
#[derive(Debug, thiserror::Error)]
#[error("cannot mount on {at} to enter the node; run as root with CAP_SYS_ADMIN, on a root outside {at}")]
pub struct MountError {
    /// Where.
    at: PathBuf,
    /// The system's reason.
    source: io::Error,
}

/// Performs `steps` in order; the first that fails ends it.
pub(super) fn perform(steps: &[Step]) -> Result<(), MountError> {
    steps
        .iter()
        .try_for_each(|step| one(step).map_err(|source| MountError { at: place(step).into(), source }))
}

fn place(step: &Step) -> &Path {
    match step {
        Step::Private => Path::new("/"),
        Step::Folder(at)
        | Step::File(at)
        | Step::Memory(at)
        | Step::Bind { to: at, .. }
        | Step::BindIfThere { to: at, .. }
        | Step::Over { at, .. } => at,
    }
}

fn one(step: &Step) -> io::Result<()> {
    const NONE: Option<&str> = None;
    match step {
        Step::Private => mount(NONE, "/", NONE, MsFlags::MS_REC | MsFlags::MS_PRIVATE, NONE)?,
        Step::Folder(at) => fs::create_dir_all(at)?,
        Step::File(at) => File::create_new(at).map(drop)?,
        Step::Memory(at) => {
            mount(Some("berth-node"), at, Some("tmpfs"), MsFlags::empty(), Some("mode=1777"))?;
        }
        Step::Bind { from, to } => bind(from, to)?,
        Step::BindIfThere { from, to, folder } => bind_if_there(from, to, *folder)?,
        Step::Over { upper, at, writes } => {
            let options = overlay(upper, at, writes.as_deref())?;
            mount(Some("berth-node"), at, Some("overlay"), MsFlags::empty(), Some(options.as_os_str()))?;
        }
    }
    Ok(())
}

fn bind(from: &Path, to: &Path) -> io::Result<()> {
    const NONE: Option<&str> = None;
    Ok(mount(Some(from), to, NONE, MsFlags::MS_BIND | MsFlags::MS_REC, NONE)?)
}

fn bind_if_there(from: &Path, to: &Path, folder: bool) -> io::Result<()> {
    if folder {
        fs::create_dir_all(to)?;
    } else {
        drop(File::create_new(to)?);
    }
    match bind(from, to) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            if folder {
                fs::remove_dir(to)
            } else {
                fs::remove_file(to)
            }
        }
        done => done,
    }
}

/// Options of overlayfs (Documentation/filesystems/overlayfs.rst); makes the folders that collect writes.
fn overlay(upper: &Path, at: &Path, writes: Option<&Path>) -> io::Result<OsString> {
    let mut options = OsString::from("lowerdir=");
    options.push(upper);
    options.push(":");
    options.push(at);
    if let Some(writes) = writes {
        // Two programs may be inside at the same time, each with an overlay of its own; a second one empties
        // the work folder that it is given.
        let work = format!("work-{}", gettid());
        let (upper, work) = (writes.join("upper"), writes.join(work));
        fs::create_dir_all(&upper)?;
        fs::create_dir_all(&work)?;
        options.push(",index=off,upperdir=");
        options.push(upper);
        options.push(",workdir=");
        options.push(work);
    }
    Ok(options)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_gone_meanwhile_leaves_nothing_behind() {
        let folder = tempfile::tempdir().expect("a folder");
        for of in [true, false] {
            bind_if_there(&folder.path().join("gone"), &folder.path().join("to"), of).expect("nothing to do");
        }
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0);
    }
}
