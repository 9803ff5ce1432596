//! `berth-cdi watch`: the daemon, and the two programs that it starts.
//!
//! These are this program again with the same arguments and one more, so that all that was chosen holds for them too,
//! and a program that was upgraded meanwhile is the new one.

#![expect(clippy::disallowed_types, reason = "names the programs that the daemon starts")]
#![expect(clippy::disallowed_methods, reason = "the environment is read here, once")]

use std::{ffi::OsString, io, path::PathBuf, process::Command};

use super::{
    Exit, Terminal,
    args::{DEFAULT_OUTPUT, DriverEvents, Generate, HostArgs, Part, Watch},
    generate::{self, SPEC_MODE},
    plan,
};
use crate::{
    chain::chain,
    host::{self, Options, Roots, Want},
    root::Root,
    watch::{
        keeper::{Host, Target},
        relay::relay,
        start::{Environment, Setup, start},
    },
};

/// Runs the command; `own` are this process's arguments without its name.
pub(super) fn run(arguments: &Watch, own: &[OsString], terminal: Terminal) -> Exit {
    match arguments.part {
        None => daemon(arguments, own, terminal),
        Some(Part::Generate) => print(arguments, terminal),
        Some(Part::Relay) => events(&arguments.generate.host, terminal),
    }
}

fn daemon(arguments: &Watch, own: &[OsString], mut terminal: Terminal) -> Exit {
    let setup = match setup(arguments, own) {
        Ok(setup) => setup,
        Err(error) => {
            terminal.failure(&*error);
            return Exit::Usage;
        }
    };
    let mut log = terminal;
    match start(setup, Box::new(move |line| log.log(line))) {
        Ok(()) => Exit::Good,
        Err(error) => {
            terminal.failure(&error);
            Exit::Failed
        }
    }
}

fn setup(arguments: &Watch, own: &[OsString]) -> Result<Setup, Box<dyn std::error::Error>> {
    let generate = with_output(&arguments.generate);
    let format = plan::plan(&generate)?.format;
    let host = &generate.host;
    let listen = arguments.driver_events != DriverEvents::Never;
    Ok(Setup {
        generate: part(own, "generate"),
        listen: listen.then(|| part(own, "relay")),
        always_listen: arguments.driver_events == DriverEvents::Always,
        target: Target { path: generate.output.clone().unwrap_or_default(), format, mode: SPEC_MODE },
        host: Host {
            root: Root::new(&host.host_root)?,
            driver_root: host.driver_root.clone(),
            dev_root: host.dev_root.clone().unwrap_or_else(|| host.driver_root.clone()),
            spec_folders: arguments.spec_dir.clone(),
        },
        runtime: arguments.runtime_dir.clone(),
        manager: manager(),
    })
}

fn with_output(generate: &Generate) -> Generate {
    let output = generate.output.clone().unwrap_or_else(|| PathBuf::from(DEFAULT_OUTPUT));
    Generate { output: Some(output), ..generate.clone() }
}

/// This program for a part of the work; that of its path, if an upgrade has put another one there.
fn part(own: &[OsString], name: &str) -> Command {
    let program = std::env::current_exe().unwrap_or_else(|_| "berth-cdi".into());
    let path = program.to_string_lossy();
    let mut command = Command::new(path.strip_suffix(" (deleted)").unwrap_or(&path));
    command.args(own).args(["--part", name]);
    command
}

fn manager() -> Environment {
    let variable = |name: &str| std::env::var(name).ok();
    Environment {
        notify_socket: variable("NOTIFY_SOCKET"),
        watchdog_usec: variable("WATCHDOG_USEC"),
        watchdog_pid: variable("WATCHDOG_PID"),
    }
}

/// The generation prints, in the format of the daemon's file.
fn print(arguments: &Watch, mut terminal: Terminal) -> Exit {
    let own = with_output(&arguments.generate);
    let format = match plan::plan(&own) {
        Ok(plan) => plan.format.extension().to_owned(),
        Err(error) => {
            terminal.failure(&error);
            return Exit::Usage;
        }
    };
    generate::run(&Generate { output: None, format: Some(format), ..own }, &mut terminal)
}

fn events(arguments: &HostArgs, mut terminal: Terminal) -> Exit {
    match library(arguments) {
        Ok(library) => match relay(&library, &mut io::stdout()) {
            Ok(never) => match never {},
            // The daemon goes on without: its other sources tell what matters.
            Err(error) => terminal.debugging(&chain(&error)),
        },
        Err(error) => terminal.debugging(&chain(&*error)),
    }
    Exit::Failed
}

fn library(arguments: &HostArgs) -> Result<PathBuf, Box<dyn std::error::Error>> {
    let roots: Roots = generate::roots(arguments)?;
    let mut options = Options::new([Want::Platform], String::new());
    options.search.libraries.clone_from(&arguments.library_search_path);
    let platform = host::observe(&roots, &options)?.platform;
    let library = platform.nvml.ok_or("there is no libnvidia-ml.so; install the driver's libraries")?;
    Ok(roots.host.on_disk(&roots.host.resolve(&library)?))
}
