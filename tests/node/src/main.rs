//! `berth-node`: makes simulated GPU nodes, changes them, and runs programs on them.

use std::process::ExitCode;

use berth_node::cli::{self, Arguments};
use clap::Parser;

fn main() -> ExitCode {
    match cli::run(Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            cli::complain(&error);
            ExitCode::FAILURE
        }
    }
}
