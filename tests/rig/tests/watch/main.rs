//! The watching daemon on a simulated node: whatever happens to the node, the file ends up true.

#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "runs the daemon and looks at real files"
)]

mod driver;
mod gpus;

use std::{
    fs,
    io::{BufRead, BufReader, PipeReader, pipe},
    os::fd::AsFd,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

use berth_cdi::spec::{Format, Spec};
use berth_node::{
    Node, Recipe,
    driver::nvml_library::beside_program,
    layout::Layout,
    machine::{parse_gpus, place},
};
use nix::{
    poll::{PollFd, PollFlags, PollTimeout, poll},
    sys::signal::{Signal, kill},
    unistd::Pid,
};

/// `berth-cdi`.
const PROGRAM: &str = env!("CARGO_BIN_EXE_berth-rig-cdi");

/// Longest silence of the daemon while something is awaited.
const PATIENCE_MILLIS: u16 = 30_000;

/// The daemon's process; ends with its test, however that ends.
struct Daemon(Child);

impl Drop for Daemon {
    fn drop(&mut self) {
        // It has ended already where the test got so far.
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

/// A node and the daemon that watches it.
struct Watched {
    node: Node,
    daemon: Daemon,
    log: BufReader<PipeReader>,
    heard: Vec<String>,
    folder: tempfile::TempDir,
}

impl Watched {
    /// A node with these boards, as `recipe` changes it, once its first spec stands.
    fn new(boards: &str, recipe: impl FnOnce(&mut Recipe)) -> Self {
        let mut watched = Self::starting(boards, recipe);
        watched.until_true();
        watched
    }

    /// The same, with the daemon just started.
    fn starting(boards: &str, recipe: impl FnOnce(&mut Recipe)) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let gpus = place(&parse_gpus(boards).expect("boards"), &[]).expect("slots");
        let nvml = Some(beside_program().expect("the simulated NVML"));
        let mut made = Recipe { nvml, ..Recipe::new(Layout::Debian, gpus) };
        recipe(&mut made);
        let node = Node::create(&folder.path().join("node"), &made).expect("a node");
        let (log, writer) = pipe().expect("a pipe");
        let mut command = on(&node, "watch");
        command
            .arg("--output")
            .arg(node.root().join("run/cdi/nvidia.yaml"))
            .args(["--spec-dir", "/etc/cdi,/run/cdi"]);
        command.arg("--runtime-dir").arg(node.root().join("run/berth")).stderr(writer);
        let daemon = Daemon(command.stdout(Stdio::null()).spawn().expect("a daemon"));
        Self { node, daemon, log: BufReader::new(log), heard: Vec::new(), folder }
    }

    fn path(&self, in_root: &str) -> PathBuf {
        self.node.root().join(in_root)
    }

    fn text(&self) -> Option<String> {
        fs::read_to_string(self.path("run/cdi/nvidia.yaml")).ok()
    }

    fn spec(&self) -> Spec {
        let text = self.text().expect("a file");
        Spec::parse(text.as_bytes(), Format::Yaml).expect("a whole spec")
    }

    /// Names of the devices that go by index.
    fn devices(&self) -> Vec<String> {
        let names = self.spec().devices.into_iter().map(|device| device.name.to_string());
        names.filter(|name| !name.starts_with("GPU-") && !name.starts_with("MIG-")).collect()
    }

    /// Waits for the daemon's next line.
    fn line(&mut self) -> String {
        if self.log.buffer().is_empty() {
            let mut readable = [PollFd::new(self.log.get_ref().as_fd(), PollFlags::POLLIN)];
            let ready = poll(&mut readable, PollTimeout::from(PATIENCE_MILLIS)).expect("poll");
            assert_eq!(ready, 1, "the daemon is silent; heard {:#?}; wanted {:?}", self.heard, self.fresh());
        }
        let mut line = String::new();
        assert!(
            self.log.read_line(&mut line).expect("a log") > 0,
            "the daemon ended; heard {:#?}",
            self.heard
        );
        self.heard.push(line.clone());
        line
    }

    /// Waits, line by line, until `holds`.
    fn until(&mut self, holds: impl Fn(&mut Self) -> bool) {
        while !holds(self) {
            self.line();
        }
    }

    fn until_line(&mut self, part: &str) -> String {
        loop {
            let line = self.line();
            if line.contains(part) {
                return line;
            }
        }
    }

    /// Waits until the file is what a generation makes of the node as it is now.
    fn until_true(&mut self) {
        self.until(|watched| watched.text() == watched.fresh().ok() && watched.text().is_some());
    }

    /// What a generation makes of the node now, or what it says instead.
    fn fresh(&self) -> Result<String, String> {
        let made = on(&self.node, "generate").output().expect("a generation");
        let (spec, told) =
            (String::from_utf8(made.stdout).expect("text"), String::from_utf8_lossy(&made.stderr));
        if made.status.success() { Ok(spec) } else { Err(told.into_owned()) }
    }

    /// Ends the daemon as the service manager does; nothing but the file may be left.
    fn stop(mut self) {
        kill(Pid::from_raw(self.daemon.0.id().try_into().expect("a process id")), Signal::SIGTERM)
            .expect("running");
        assert!(self.daemon.0.wait().expect("an end").success());
        let names = fs::read_dir(self.path("run/cdi"))
            .expect("a folder")
            .map(|entry| entry.expect("a name").file_name());
        assert!(names.eq(["nvidia.yaml"]));
        drop(self.folder);
    }
}

/// A command of the program on the node.
fn on(node: &Node, name: &str) -> Command {
    let mut command = Command::new(PROGRAM);
    command.arg(name).arg("--host-root").arg(node.root()).args(["--disable-hook", "all"]);
    command
}

/// Container paths of all mounts.
fn mounts(spec: &Spec) -> Vec<&Path> {
    spec.all_edits().flat_map(|edits| &edits.mounts).map(|mount| Path::new(&mount.container_path)).collect()
}
