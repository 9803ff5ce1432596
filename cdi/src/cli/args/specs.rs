//! Commands about CDI files that exist.

use std::path::PathBuf;

use clap::builder::FalseyValueParser;
use clap::{Args, ValueEnum};

/// How results are printed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum Output {
    /// For people, one line each.
    #[default]
    Text,
    /// For programs.
    Json,
}

/// Holds CDI files against this host: one line a finding, with what to do.
#[derive(Debug, Args)]
pub struct Check {
    /// A CDI file [default: all files of the CDI folders]
    pub file: Option<PathBuf>,
    /// A CDI folder, in the order of rising priority (repeatable)
    #[arg(long, value_name = "DIR", value_delimiter = ',', env = "BERTH_CDI_SPEC_DIRS", default_values = crate::check::DEFAULT_FOLDERS)]
    pub spec_dir: Vec<PathBuf>,
    /// Where this process sees the host's file system
    #[arg(long, value_name = "DIR", default_value = "/", env = "BERTH_CDI_HOST_ROOT")]
    pub host_root: PathBuf,
    /// Kata Containers runs here: what it cannot read is an error
    #[arg(value_parser = FalseyValueParser::new(), long, env = "BERTH_CDI_KATA")]
    pub kata: bool,
    /// How to print
    #[arg(long, short, value_enum, default_value_t, env = "BERTH_CDI_RESULT")]
    pub output: Output,
}

/// Lists the devices that runtimes offer; what they leave out goes to standard error.
#[derive(Debug, Args)]
pub struct List {
    /// A CDI folder, in the order of rising priority (repeatable)
    #[arg(long, value_name = "DIR", value_delimiter = ',', env = "BERTH_CDI_SPEC_DIRS", default_values = crate::check::DEFAULT_FOLDERS)]
    pub spec_dir: Vec<PathBuf>,
    /// Where this process sees the host's file system
    #[arg(long, value_name = "DIR", default_value = "/", env = "BERTH_CDI_HOST_ROOT")]
    pub host_root: PathBuf,
    /// How to print
    #[arg(long, short, value_enum, default_value_t, env = "BERTH_CDI_RESULT")]
    pub output: Output,
}
