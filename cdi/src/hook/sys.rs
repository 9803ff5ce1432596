//! System calls that no safe wrapper has: mounts by descriptor, and the process's own time limit.

#![allow(unsafe_code, reason = "system calls without a safe wrapper")]

use std::{
    ffi::{CStr, c_int, c_long, c_uint},
    io,
    os::fd::{AsRawFd as _, BorrowedFd, FromRawFd as _, OwnedFd, RawFd},
    ptr,
};

use nix::{
    errno::Errno,
    libc,
    sys::signal::{SaFlags, SigAction, SigHandler, SigSet, Signal, sigaction},
    unistd::alarm,
};

/// `FSOPEN_CLOEXEC`, `FSMOUNT_CLOEXEC` of linux/mount.h.
const CLOSE_ON_EXEC: c_uint = 1;
/// `FSCONFIG_SET_STRING`, `FSCONFIG_CMD_CREATE`.
const SET_STRING: c_uint = 1;
const CREATE: c_uint = 6;
/// `MOUNT_ATTR_RDONLY`, `_NOSUID`, `_NODEV`, `_NOEXEC`.
const READ_ONLY: u64 = 1;
const HARMLESS: u64 = 2 | 4 | 8;
/// `MOVE_MOUNT_F_EMPTY_PATH` and `MOVE_MOUNT_T_EMPTY_PATH`.
const MOVE_BY_DESCRIPTORS: c_uint = 0x4 | 0x40;
/// `OPEN_TREE_CLONE` and `OPEN_TREE_CLOEXEC`.
const CLONE: c_uint = 1;
const CLONE_ON_EXEC: c_uint = 0o2_000_000;

/// `struct mount_attr` of linux/mount.h.
#[repr(C)]
#[derive(Debug, Default)]
struct MountAttributes {
    set: u64,
    clear: u64,
    propagation: u64,
    user_namespace: u64,
}

/// A file system of its own that stands nowhere yet: neither set-user-ID nor devices nor programs work in it.
pub(super) fn detached(kind: &CStr, options: &[(&CStr, &CStr)]) -> io::Result<OwnedFd> {
    // SAFETY: the name is a C string; the call makes a new descriptor or fails.
    let context = descriptor(unsafe { libc::syscall(libc::SYS_fsopen, kind.as_ptr(), CLOSE_ON_EXEC) })?;
    for (key, value) in options {
        let (key, value) = (key.as_ptr(), value.as_ptr());
        // SAFETY: both are C strings that live through the call.
        done(unsafe { libc::syscall(libc::SYS_fsconfig, context.as_raw_fd(), SET_STRING, key, value, 0) })?;
    }
    let nothing = ptr::null::<u8>();
    // SAFETY: this command takes no strings.
    done(unsafe { libc::syscall(libc::SYS_fsconfig, context.as_raw_fd(), CREATE, nothing, nothing, 0) })?;
    // SAFETY: numbers alone; the call makes a new descriptor or fails.
    descriptor(unsafe { libc::syscall(libc::SYS_fsmount, context.as_raw_fd(), CLOSE_ON_EXEC, HARMLESS) })
}

/// A second view of one file or folder, named below `folder`, that stands nowhere yet.
pub(super) fn view_of(folder: BorrowedFd<'_>, name: &CStr) -> io::Result<OwnedFd> {
    let flags = CLONE | CLONE_ON_EXEC;
    // SAFETY: the name is a C string; the call makes a new descriptor or fails.
    descriptor(unsafe { libc::syscall(libc::SYS_open_tree, folder.as_raw_fd(), name.as_ptr(), flags) })
}

/// Makes a view read-only and harmless (Linux 5.12).
pub(super) fn make_read_only(view: BorrowedFd<'_>) -> io::Result<()> {
    let attributes = MountAttributes { set: READ_ONLY | HARMLESS, ..MountAttributes::default() };
    let (path, at) = (c"".as_ptr(), ptr::from_ref(&attributes));
    let size = size_of::<MountAttributes>();
    // SAFETY: path and attributes live through the call, which reads `size` bytes of the latter.
    done(unsafe {
        libc::syscall(libc::SYS_mount_setattr, view.as_raw_fd(), path, libc::AT_EMPTY_PATH, at, size)
    })
}

/// Lets a view stand at `place`, whatever path leads there.
pub(super) fn stand_at(view: BorrowedFd<'_>, place: BorrowedFd<'_>) -> io::Result<()> {
    let (view, place, path) = (view.as_raw_fd(), place.as_raw_fd(), c"".as_ptr());
    // SAFETY: both descriptors are open and the path is a C string.
    done(unsafe { libc::syscall(libc::SYS_move_mount, view, path, place, path, MOVE_BY_DESCRIPTORS) })
}

/// Ends this process with status 1 and a sentence after `seconds`, whatever it waits for.
pub(super) fn end_after(seconds: u32) -> io::Result<()> {
    let action = SigAction::new(SigHandler::Handler(out_of_time), SaFlags::empty(), SigSet::empty());
    // SAFETY: the handler makes async-signal-safe calls alone.
    unsafe { sigaction(Signal::SIGALRM, &action) }?;
    // The runtime's mask is ours, and may hold the signal back.
    SigSet::from(Signal::SIGALRM).thread_unblock()?;
    alarm::set(seconds);
    Ok(())
}

extern "C" fn out_of_time(_signal: c_int) {
    let text =
        b"berth-cdi-hook: took too long; look for a file system of the container that does not answer\n";
    // SAFETY: the buffer is static; write(2) is async-signal-safe.
    unsafe { libc::write(libc::STDERR_FILENO, text.as_ptr().cast(), text.len()) };
    // SAFETY: _exit(2) is async-signal-safe and does not return.
    unsafe { libc::_exit(1) }
}

fn done(answer: c_long) -> io::Result<()> {
    Ok(Errno::result(answer).map(drop)?)
}

fn descriptor(answer: c_long) -> io::Result<OwnedFd> {
    let number = RawFd::try_from(Errno::result(answer)?).map_err(io::Error::other)?;
    // SAFETY: the kernel has just made this descriptor for us, nobody else owns it.
    Ok(unsafe { OwnedFd::from_raw_fd(number) })
}
