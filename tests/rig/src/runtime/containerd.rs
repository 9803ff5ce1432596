//! containerd, and its client `ctr`.
#![expect(clippy::disallowed_types, reason = "starts a daemon and reads its log")]

use std::{
    io::{self, BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{
        atomic::{AtomicU32, Ordering},
        mpsc::{self, RecvTimeoutError},
    },
    thread,
    time::Duration,
};

use berth_packages::Program;

use super::{Container, Runtime};
use crate::{
    files, image,
    station::{Station, StationError},
};

const STARTING: Duration = Duration::from_secs(60);
/// What containerd logs when it serves.
const SERVES: &str = "containerd successfully booted";

/// containerd did not come up.
#[derive(Debug, thiserror::Error)]
pub enum ContainerdError {
    /// The station failed.
    #[error(transparent)]
    Station(#[from] StationError),
    /// It could not be started.
    #[error("cannot start containerd on the node")]
    Start(#[source] io::Error),
    /// It ended, or it did not serve in time.
    #[error("containerd does not serve ({why}); it said: {said}")]
    Serve {
        /// Whether it ended.
        why: &'static str,
        /// Its log so far.
        said: String,
    },
}

/// A containerd that runs on a station as long as this value lives.
#[derive(Debug)]
pub struct Containerd {
    daemon: Child,
    socket: PathBuf,
    group: String,
    started: AtomicU32,
}

impl Containerd {
    /// Starts containerd on the station and imports the image.
    ///
    /// # Errors
    /// [`ContainerdError`].
    pub fn new(station: &Station) -> Result<Self, ContainerdError> {
        let folder = station.scratch("containerd")?;
        let (config, socket) = (folder.join("config.toml"), folder.join("containerd.sock"));
        files::text(&config, &configuration(&folder, &socket)).map_err(StationError::from)?;
        let daemon = station.inside(move || start(&config))?.map_err(ContainerdError::Start)?;
        let mut containerd = Self { daemon, socket, group: station.group(), started: AtomicU32::new(0) };
        containerd.wait()?;
        let archive = station.image()?;
        let import = containerd.ctr().arguments(["images", "import", "--local", "--snapshotter", "native"]);
        station.run(import.arguments([archive]), STARTING)?;
        Ok(containerd)
    }

    fn ctr(&self) -> Program {
        Program::new("ctr").arguments(["--address".as_ref(), self.socket.as_os_str()])
    }

    /// Waits until it serves; a thread goes on reading its log, so that it never blocks.
    fn wait(&mut self) -> Result<(), ContainerdError> {
        let Some(log) = self.daemon.stderr.take() else { return Ok(()) };
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || {
            BufReader::new(log).lines().map_while(Result::ok).for_each(|line| drop(sender.send(line)));
        });
        let mut said = Vec::new();
        loop {
            match lines.recv_timeout(STARTING) {
                Ok(line) if line.contains(SERVES) => return Ok(()),
                Ok(line) => said.push(line),
                Err(RecvTimeoutError::Timeout) => return Err(silent("it is late", &said)),
                Err(RecvTimeoutError::Disconnected) => return Err(silent("it ended", &said)),
            }
        }
    }
}

fn silent(why: &'static str, said: &[String]) -> ContainerdError {
    let last: Vec<&str> = said.iter().rev().take(3).map(String::as_str).collect();
    ContainerdError::Serve { why, said: last.join("; ") }
}

/// Ends the daemon with all containers: they share its process numbers.
impl Drop for Containerd {
    fn drop(&mut self) {
        drop(self.daemon.kill());
        drop(self.daemon.wait());
    }
}

impl Runtime for Containerd {
    fn name(&self) -> String {
        "containerd with runc".into()
    }

    fn command(&self, container: &Container<'_>) -> Program {
        let devices =
            container.devices.iter().flat_map(|device| ["--device".to_owned(), (*device).to_owned()]);
        let bind = |path: &&str| format!("type=bind,src={path},dst={path},options=rbind:rw");
        let folders = container.folders.iter().flat_map(|path| ["--mount".to_owned(), bind(path)]);
        let name = format!("container-{}", self.started.fetch_add(1, Ordering::Relaxed));
        self.ctr()
            .arguments(["run", "--cgroup", &format!("{}/{name}", self.group)])
            .arguments(["--rm", "--snapshotter", "native"])
            .arguments(devices)
            .arguments(folders)
            .arguments([image::NAME, &name])
            .arguments(container.command)
    }
}

/// The first process of the daemon's numbers waits for the end of its input, which is ours: however this process
/// ends, the daemon and its containers end with it.
fn start(config: &Path) -> io::Result<Child> {
    Command::new("unshare")
        .args(["--pid", "--fork", "--kill-child=KILL", "--mount-proc", "sh", "-c"])
        .args(["containerd --config \"$1\" & exec 2>/dev/null; read -r end", "sh"])
        .arg(config)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
}

/// State, content and socket in one folder; the plugins for Kubernetes are off, `ctr` needs none of them.
fn configuration(folder: &Path, socket: &Path) -> String {
    let (folder, socket) = (folder.display(), socket.display());
    format!(
        "version = 3\nroot = \"{folder}/root\"\nstate = \"{folder}/state\"\ndisabled_plugins = \
         [\"io.containerd.cri.v1.runtime\", \"io.containerd.cri.v1.images\", \"io.containerd.grpc.v1.cri\", \
         \"io.containerd.nri.v1.nri\"]\n[grpc]\naddress = \"{socket}\"\n[ttrpc]\naddress = \"{socket}.ttrpc\"\n"
    )
}
