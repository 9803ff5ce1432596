//! The whole daemon in a process of its own, with a program of the shell for the generation.

#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "a temporary folder and real processes are the node"
)]

use std::{
    fs,
    io::{BufRead, BufReader, PipeReader, Write, pipe},
    os::{fd::AsFd, unix::fs::PermissionsExt},
    panic::AssertUnwindSafe,
    path::{Path, PathBuf},
    process::Command,
};

use nix::{
    poll::{PollFd, PollFlags, PollTimeout, poll},
    sys::{
        signal::{Signal, kill},
        wait::waitpid,
    },
    unistd::Pid,
};

use super::{
    keeper::{Host, Target},
    start::{Environment, Setup, start},
};
use crate::{
    children,
    root::Root,
    spec::{Format, samples::full},
};

/// A host in a folder: `source` is what its generation prints.
struct Bench {
    tree: tempfile::TempDir,
    log: BufReader<PipeReader>,
    daemon: Option<Pid>,
}

fn setup(tree: &Path) -> Setup {
    let source = tree.join("source");
    let mut generate = Command::new("cat");
    generate.arg(source);
    Setup {
        generate,
        listen: None,
        always_listen: false,
        target: Target { path: tree.join("run/cdi/nvidia.yaml"), format: Format::Yaml, mode: 0o644 },
        host: Host {
            root: Root::new(tree).expect("a root"),
            driver_root: PathBuf::from("/"),
            dev_root: PathBuf::from("/"),
            spec_folders: vec!["/etc/cdi".into(), "/run/cdi".into()],
        },
        runtime: tree.join("run/berth"),
        manager: Environment::default(),
    }
}

impl Bench {
    fn new(source: &str) -> Self {
        let tree = tempfile::tempdir().expect("a folder");
        for folder in ["dev", "etc/cdi", "run/cdi", "sys/module/nvidia"] {
            fs::create_dir_all(tree.path().join(folder)).expect("a folder");
        }
        fs::write(tree.path().join("source"), source).expect("a file");
        let (log, mut lines) = pipe().expect("a pipe");
        let setup = setup(tree.path());
        let daemon = children::start(AssertUnwindSafe(|| {
            let log = Box::new(move |line: &str| writeln!(lines, "{line}").expect("a reader"));
            start(setup, log).expect("a daemon");
        }));
        Self { tree, log: BufReader::new(log), daemon: Some(daemon) }
    }

    /// Reads the log up to a line with `part`; a minute without a line, or the log's end, is a failure.
    fn wait_for(&mut self, part: &str) -> String {
        let mut line = String::new();
        while !line.contains(part) {
            line.clear();
            if self.log.buffer().is_empty() {
                let mut readable = [PollFd::new(self.log.get_ref().as_fd(), PollFlags::POLLIN)];
                assert_eq!(
                    poll(&mut readable, PollTimeout::from(60_000_u16)).expect("poll"),
                    1,
                    "no {part:?}"
                );
            }
            assert!(self.log.read_line(&mut line).expect("a log") > 0, "the daemon ended before {part:?}");
        }
        line
    }

    fn write(&self, path: &str, content: &str) {
        fs::write(self.tree.path().join(path), content).expect("a file");
    }

    fn spec(&self) -> String {
        fs::read_to_string(self.tree.path().join("run/cdi/nvidia.yaml")).expect("a spec")
    }

    fn stop(mut self) {
        let daemon = self.daemon.take().expect("running");
        kill(daemon, Signal::SIGTERM).expect("running");
        children::finish(daemon);
    }
}

/// A test that fails leaves no daemon behind.
impl Drop for Bench {
    fn drop(&mut self) {
        if let Some(daemon) = self.daemon.take() {
            kill(daemon, Signal::SIGKILL).expect("running");
            waitpid(daemon, None).expect("an end");
        }
    }
}

fn spec(name: &str) -> String {
    let mut spec = full();
    spec.devices[0].name = name.parse().expect("a name");
    spec.render(Format::Yaml)
}

#[test]
fn a_change_of_the_node_ends_in_the_right_file() {
    let mut bench = Bench::new(&spec("0"));
    bench.wait_for("1 device, written");
    assert_eq!(bench.spec(), spec("0"));
    let mode =
        fs::metadata(bench.tree.path().join("run/cdi/nvidia.yaml")).expect("a file").permissions().mode();
    assert_eq!(mode & 0o7777, 0o644);
    bench.write("source", &spec("1"));
    bench.write("dev/nvidia1", "");
    bench.wait_for("1 device, written");
    assert_eq!(bench.spec(), spec("1"));
    bench.write("dev/nvidia2", "");
    bench.wait_for("unchanged");
    bench.stop();
}

#[test]
fn a_generation_that_fails_leaves_the_old_file_with_a_warning_and_is_repeated() {
    let mut bench = Bench::new(&spec("0"));
    bench.wait_for("1 device, written");
    bench.write("source", "half a sp");
    bench.write("dev/nvidia1", "");
    let line = bench.wait_for("no new spec; the old file stays: ");
    assert!(line.starts_with("warning: "), "{line}");
    assert_eq!(bench.spec(), spec("0"));
    bench.write("source", &spec("1"));
    bench.wait_for("1 device, written");
    bench.stop();
}

#[test]
fn a_hangup_generates_at_once_and_another_producer_is_named() {
    let mut bench = Bench::new(&spec("0"));
    bench.wait_for("1 device, written");
    bench.write("etc/cdi/peer.yaml", &spec("7").replace("berth-cdi-hook", "nvidia-cdi-hook"));
    let line = bench.wait_for("/etc/cdi/peer.yaml");
    assert!(line.contains("by nvidia-ctk cdi generate"), "{line}");
    bench.write("source", &spec("2"));
    kill(bench.daemon.expect("running"), Signal::SIGHUP).expect("running");
    bench.wait_for("1 device, written");
    bench.stop();
}

#[test]
fn a_second_daemon_on_the_file_is_refused_with_the_first_ones_name() {
    let mut bench = Bench::new(&spec("0"));
    bench.wait_for("1 device, written");
    let error = start(setup(bench.tree.path()), Box::new(|_| {})).expect_err("a holder");
    let holder = format!("is written by berth-cdi watch, process {}", bench.daemon.expect("running"));
    assert!(error.to_string().contains(&holder), "{error}");
    bench.stop();
}
