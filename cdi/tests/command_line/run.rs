//! Runs the program with an environment of its own, on hosts that are temporary folders.

#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "starts the program on folders it makes"
)]

use std::{
    fs,
    os::unix::fs::symlink,
    path::Path,
    process::{Command, Output},
};

use nix::sys::stat::{Mode, SFlag, makedev, mknod};

/// What came of a run.
#[derive(Debug)]
pub(crate) struct Ran {
    /// Exit code.
    pub code: Option<i32>,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

/// Runs `berth-cdi` with `arguments` and nothing but `environment`.
pub(crate) fn berth_cdi(arguments: &[&str], environment: &[(&str, &str)]) -> Ran {
    let output = Command::new(env!("CARGO_BIN_EXE_berth-cdi"))
        .args(arguments)
        .env_clear()
        .env("PATH", "/usr/bin:/bin")
        .envs(environment.iter().copied())
        .output()
        .expect("the program starts");
    ran(output)
}

fn ran(output: Output) -> Ran {
    let text = |bytes| String::from_utf8(bytes).expect("utf-8");
    Ran { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

/// A host with two channels of IMEX and a driver's libraries without NVML: what needs no simulated library.
pub(crate) fn host() -> tempfile::TempDir {
    let host = tempfile::tempdir().expect("a folder");
    let root = host.path();
    for channel in [0, 1] {
        node(&root.join(format!("dev/nvidia-caps-imex-channels/channel{channel}")), 240, channel);
    }
    for (name, minor) in [("nvidia0", 0), ("nvidiactl", 255)] {
        node(&root.join("dev").join(name), 195, minor);
    }
    let libraries = root.join("usr/lib64");
    fs::create_dir_all(&libraries).expect("a folder");
    fs::write(libraries.join("libcuda.so.550.163.01"), "").expect("a file");
    symlink("libcuda.so.550.163.01", libraries.join("libcuda.so.1")).expect("a link");
    host
}

fn node(path: &Path, major: u64, minor: u64) {
    fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
    mknod(path, SFlag::S_IFCHR, Mode::from_bits_truncate(0o666), makedev(major, minor))
        .expect("root makes nodes");
}
