//! Processes of their own for tests: some jobs end by a signal, enter a namespace or take signals, which no thread can.

use nix::{
    sys::wait::{WaitStatus, waitpid},
    unistd::{ForkResult, Pid, fork},
};

/// Runs `job` in a process of its own; its panic is exit status 1.
#[expect(unsafe_code, reason = "a fork of the test program")]
pub(crate) fn start(job: impl FnOnce() + std::panic::UnwindSafe) -> Pid {
    // SAFETY: the child touches nothing that other threads of the test may have locked: files, its own memory
    // (whose allocator is safe across a fork), and standard error in the case of a panic.
    match unsafe { fork() }.expect("a process") {
        ForkResult::Parent { child } => child,
        ForkResult::Child => {
            let status = i32::from(std::panic::catch_unwind(job).is_err());
            // SAFETY: ends this process at once and returns to nobody.
            unsafe { nix::libc::_exit(status) }
        }
    }
}

/// Waits for its success.
pub(crate) fn finish(child: Pid) {
    assert_eq!(waitpid(child, None).expect("an end"), WaitStatus::Exited(child, 0));
}
