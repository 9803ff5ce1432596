//! Puts the daemon together and runs it.

#![expect(clippy::disallowed_types, reason = "hands programs to their starters")]

use std::{path::PathBuf, process::Command, time::Duration};

use super::{
    daemon::{self, Node, Sources, Supervision, WatchError},
    generator::Generator,
    keeper::{Host, Keeper, Target},
    privileges::{self, KEPT},
    sources::{DriverEvents, Folders, KernelEvents, Signals, SourceError},
    systemd::{Manager, watchdog_interval},
};
use crate::store::{Lease, LeaseError};

/// Longest generation: NVML's own deadline ([`crate::host::NVML_DEADLINE`]) and half as much for all else.
pub const GENERATION_DEADLINE: Duration = Duration::from_secs(45);

/// Where the locks of files that have a writer lie.
pub const RUNTIME_FOLDER: &str = "/run/berth";

/// All that the command line and the environment decide.
#[derive(Debug)]
pub struct Setup {
    /// Prints the spec on its standard output, what operators should know on its standard error; exits with 0 then.
    pub generate: Command,
    /// Prints the driver's events ([`super::relay`]), where they are wanted.
    pub listen: Option<Command>,
    /// Whether the driver's events are listened to even where that alone keeps the driver open.
    pub always_listen: bool,
    /// The file.
    pub target: Target,
    /// The host.
    pub host: Host,
    /// Folder of the lock: [`RUNTIME_FOLDER`].
    pub runtime: PathBuf,
    /// What the service manager said.
    pub manager: Environment,
}

/// What a service manager tells its services (`sd_notify(3)`, `sd_watchdog_enabled(3)`).
#[derive(Debug, Clone, Default)]
pub struct Environment {
    /// `NOTIFY_SOCKET`.
    pub notify_socket: Option<String>,
    /// `WATCHDOG_USEC`.
    pub watchdog_usec: Option<String>,
    /// `WATCHDOG_PID`.
    pub watchdog_pid: Option<String>,
}

/// The daemon could not start, or could not go on.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// Another writer, or no lock.
    #[error(transparent)]
    Lease(#[from] LeaseError),
    /// No source of events.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// The loop ended.
    #[error(transparent)]
    Watch(#[from] WatchError),
}

/// Watches until a signal ends it; to be called before any other thread is started. `log` takes lines for operators.
///
/// # Errors
/// [`StartError`]; the file stays as it is.
pub fn start(setup: Setup, mut log: Box<dyn FnMut(&str)>) -> Result<(), StartError> {
    let own = std::process::id();
    let lease = Lease::take(&setup.runtime, &setup.target.path, &format!("berth-cdi watch, process {own}"))?;
    // A daemon with too many capabilities is still better than none: nothing of its work depends on having fewer.
    if let Err(error) = privileges::keep_only(&KEPT) {
        log(&format!("warning: {error}"));
    }
    let sources = Sources {
        signals: Signals::take()?,
        folders: Folders::new()?,
        kernel: kernel(&mut log),
        driver: setup.listen.map(DriverEvents::by),
    };
    let supervision = supervision(&setup.manager, own, &mut log);
    let generator = Generator::new(setup.generate, GENERATION_DEADLINE);
    let mut keeper = Keeper::new(generator, setup.target, setup.host, lease, log);
    keeper.hold_driver_always(setup.always_listen);
    keeper.log("watching");
    Ok(daemon::run(&mut keeper, sources, &supervision)?)
}

/// In a container without the host's network there are none; folders tell most, and the rest is seen later.
fn kernel(log: &mut impl FnMut(&str)) -> Option<KernelEvents> {
    KernelEvents::listen().map_err(|error| log(&format!("warning: {error}"))).ok()
}

fn supervision(manager: &Environment, own: u32, log: &mut impl FnMut(&str)) -> Supervision {
    let watchdog = watchdog_interval(manager.watchdog_usec.as_deref(), manager.watchdog_pid.as_deref(), own);
    let manager = Manager::at(manager.notify_socket.as_deref()).unwrap_or_else(|error| {
        log(&format!("warning: cannot reach the service manager: {error}"));
        Manager::default()
    });
    Supervision { manager, watchdog }
}
