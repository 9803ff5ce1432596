//! Container runtimes of others, on a station.

mod containerd;
mod cri;
mod daemon;
mod podman;

pub use self::{
    containerd::Containerd,
    cri::{Cdi, Cri},
    daemon::ContainerdError,
    podman::{OciRuntime, Podman},
};
use crate::station::{Station, StationError};

use std::{fmt, time::Duration};

use berth_packages::Program;
use berth_probe::Report;

/// No container here has more to do than to look around.
const RUNNING: Duration = Duration::from_secs(60);

/// A container to be started.
#[derive(Debug, Clone, Copy, Default)]
pub struct Container<'a> {
    /// Qualified names of CDI devices.
    pub devices: &'a [&'a str],
    /// What runs in it.
    pub command: &'a [&'a str],
    /// Folders of the node that it sees at the same place.
    pub folders: &'a [&'a str],
}

/// Something that starts containers.
pub trait Runtime: fmt::Debug {
    /// Its name and what it starts containers with.
    fn name(&self) -> String;

    /// The command that starts `container`, waits for its end and removes it.
    fn command(&self, container: &Container<'_>) -> Program;
}

/// Runs a container to its end, and answers what it wrote.
///
/// # Errors
/// [`StationError`]; the runtime's words are in it.
pub fn run(
    station: &Station,
    runtime: &dyn Runtime,
    container: &Container<'_>,
) -> Result<String, StationError> {
    station.run(runtime.command(container), RUNNING)
}

/// What a container with `devices` sees. It tries all GPU nodes of the station's node besides.
///
/// # Errors
/// [`StationError`].
pub fn probe(station: &Station, runtime: &dyn Runtime, devices: &[&str]) -> Result<Report, StationError> {
    let numbers = station.gpu_nodes().into_values().map(|(major, minor)| format!("{major}:{minor}"));
    let numbers: Vec<String> = numbers.collect();
    let mut command = vec!["/bin/berth-probe"];
    command.extend(numbers.iter().map(String::as_str));
    let told = run(station, runtime, &Container { devices, command: &command, folders: &[] })?;
    serde_json::from_str(&told).map_err(|source| StationError::Report(told, source))
}

/// A program in process numbers of its own: all that it leaves behind ends with it.
fn alone(program: &str) -> Program {
    let script = format!("{program} \"$@\"; exit $?");
    Program::new("unshare").arguments([
        "--pid",
        "--fork",
        "--kill-child=KILL",
        "--mount-proc",
        "sh",
        "-c",
        &script,
        "sh",
    ])
}
