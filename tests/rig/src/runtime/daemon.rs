//! A containerd daemon on a station, with state, content and socket in one folder.
#![expect(clippy::disallowed_types, reason = "starts a daemon and reads its log")]

use std::{
    io::{self, BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::mpsc::{self, RecvTimeoutError},
    thread,
    time::Duration,
};

use berth_packages::{GoError, Program};

use crate::{
    files,
    station::{Station, StationError},
};

/// How long it has to come up, and each of its clients to set it up.
pub(super) const STARTING: Duration = Duration::from_secs(60);
/// What containerd logs when it serves.
const SERVES: &str = "containerd successfully booted";

/// containerd did not come up.
#[derive(Debug, thiserror::Error)]
pub enum ContainerdError {
    /// The station failed.
    #[error(transparent)]
    Station(#[from] StationError),
    /// The client of Kubernetes' interface is not to be had.
    #[error(transparent)]
    Client(#[from] GoError),
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
pub(super) struct Daemon {
    process: Child,
    socket: PathBuf,
}

impl Daemon {
    /// Starts containerd with its files in `folder`, without the plugins `disabled` and with `tables` at the end
    /// of its configuration, and waits until it serves.
    pub(super) fn start(
        station: &Station,
        folder: &Path,
        disabled: &[&str],
        tables: &str,
    ) -> Result<Self, ContainerdError> {
        let (config, socket) = (folder.join("config.toml"), folder.join("containerd.sock"));
        let text = format!("{}{tables}", configuration(folder, &socket, disabled));
        files::text(&config, &text).map_err(StationError::from)?;
        let process = station.inside(move || start(&config))?.map_err(ContainerdError::Start)?;
        let mut daemon = Self { process, socket };
        daemon.wait()?;
        Ok(daemon)
    }

    /// Where it serves.
    pub(super) fn socket(&self) -> &Path {
        &self.socket
    }

    /// `ctr`, which speaks with it.
    pub(super) fn ctr(&self) -> Program {
        Program::new("ctr").arguments(["--address".as_ref(), self.socket.as_os_str()])
    }

    /// Imports the station's images into the namespace `name`.
    pub(super) fn import(&self, station: &Station, name: &str) -> Result<(), StationError> {
        let import = self.ctr().arguments(["--namespace", name, "images", "import"]);
        let import = import.arguments(["--local", "--snapshotter", "native"]);
        station.run(import.arguments([station.image()?]), STARTING).map(drop)
    }

    /// Waits until it serves; a thread goes on reading its log, so that it never blocks.
    fn wait(&mut self) -> Result<(), ContainerdError> {
        let Some(log) = self.process.stderr.take() else { return Ok(()) };
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

/// Ends the daemon with all containers. Waiting closes the input of the first of their process numbers; the system
/// lets that one end only once it has ended all others, so that their groups are empty afterwards. Killing it
/// would leave them behind for a moment.
impl Drop for Daemon {
    fn drop(&mut self) {
        drop(self.process.wait());
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

fn configuration(folder: &Path, socket: &Path, disabled: &[&str]) -> String {
    let (folder, socket) = (folder.display(), socket.display());
    format!(
        "version = 3\nroot = \"{folder}/root\"\nstate = \"{folder}/state\"\ndisabled_plugins = {disabled:?}\n\
         [grpc]\naddress = \"{socket}\"\n[ttrpc]\naddress = \"{socket}.ttrpc\"\n"
    )
}
