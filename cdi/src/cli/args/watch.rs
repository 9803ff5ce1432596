//! Flags of `watch`: those of `generate`, and what a daemon needs beside them.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::Generate;
use crate::watch::start::RUNTIME_FOLDER;

/// The file that all who describe a node's GPUs write: two files of one kind would hide each other's devices.
pub(in crate::cli) const DEFAULT_OUTPUT: &str = "/var/run/cdi/nvidia.yaml";

/// Keeps the CDI spec of this node true: writes it anew when a driver, a GPU, a MIG device or a socket comes, goes or changes.
#[derive(Debug, Clone, Args)]
#[command(after_help = "Examples:
  berth-cdi watch
  berth-cdi watch --output /var/run/cdi/nvidia.yaml --device-name-strategy uuid
  berth-cdi watch --host-root /host --output /host/var/run/cdi/nvidia.yaml

SIGHUP generates at once, SIGTERM ends; sd_notify and the service manager's watchdog are understood.")]
pub struct Watch {
    /// As for generate; the output is /var/run/cdi/nvidia.yaml if none is named.
    #[command(flatten)]
    pub generate: Generate,
    /// A CDI folder of the host, where other writers of the same kind are looked for (repeatable)
    #[arg(long, value_name = "DIR", value_delimiter = ',', env = "BERTH_CDI_SPEC_DIRS", default_values = crate::check::DEFAULT_FOLDERS)]
    pub spec_dir: Vec<PathBuf>,
    /// Folder of the lock by which one daemon writes a file
    #[arg(long, value_name = "DIR", env = "BERTH_CDI_RUNTIME_DIR", default_value = RUNTIME_FOLDER)]
    pub runtime_dir: PathBuf,
    /// When to keep the driver open for its events (MIG changes, lost GPUs)
    #[arg(long, value_enum, env = "BERTH_CDI_DRIVER_EVENTS", default_value_t)]
    pub driver_events: DriverEvents,
    /// What this process does for the daemon
    #[arg(long, value_enum, hide = true)]
    pub part: Option<Part>,
}

/// When to keep the driver open.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum DriverEvents {
    /// While nvidia-persistenced does: whoever unloads the driver stops that first, and then this lets go, too
    #[default]
    Auto,
    /// Always: the driver can be unloaded only after this daemon was stopped
    Always,
    /// Never: MIG devices that are destroyed and GPUs that are lost are seen minutes later
    Never,
}

/// Work that the daemon leaves to a program of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Part {
    /// One generation, printed.
    Generate,
    /// The driver's events, a line each.
    Relay,
}
