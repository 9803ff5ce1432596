//! `berth-cdi`: the CDI specs of a node's GPUs.

use std::process::ExitCode;

fn main() -> ExitCode {
    berth_cdi::cli::run(std::env::args_os()).into()
}
