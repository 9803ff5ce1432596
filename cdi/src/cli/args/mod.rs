//! What can be said on the command line.

mod generate;
mod host;
mod specs;
mod watch;

pub(super) use generate::Generate;
pub(super) use host::HostArgs;
pub(super) use specs::{Check, List, Output};
pub(super) use watch::{DEFAULT_OUTPUT, DriverEvents, Part, Watch};

use clap::builder::FalseyValueParser;
use clap::{Parser, Subcommand};
use clap_complete::Shell;

/// Describes the GPUs of a node for container runtimes (Container Device Interface).
#[derive(Debug, Parser)]
#[command(name = "berth-cdi", version, propagate_version = true, subcommand_required = true)]
#[command(after_help = "Examples:
  berth-cdi generate --output /var/run/cdi/nvidia.yaml   describe this node's GPUs
  berth-cdi watch                                        the same, and whenever they change
  berth-cdi check                                        is what runtimes read true on this host?
  berth-cdi list                                         names to ask runtimes for

Exit codes: 0 good, 1 failed or errors found, 2 wrong usage, 3 something left out and --strict given.")]
pub struct Cli {
    /// Say more on standard error
    #[arg(value_parser = FalseyValueParser::new(), long, short, global = true, env = "BERTH_CDI_DEBUG")]
    pub debug: bool,
    /// Say nothing but errors on standard error
    #[arg(value_parser = FalseyValueParser::new(), long, global = true, env = "BERTH_CDI_QUIET", conflicts_with = "debug")]
    pub quiet: bool,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Write the CDI spec of this node
    Generate(Box<Generate>),
    /// Keep the CDI spec of this node true
    Watch(Box<Watch>),
    /// Hold CDI files against this host
    Check(Check),
    /// List the devices that runtimes offer
    List(List),
    /// Print completions for a shell
    Completions {
        /// Which shell
        shell: Shell,
    },
    /// Print the man page
    #[command(hide = true)]
    Man,
}
