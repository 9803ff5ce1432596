//! `berth-cdi`, built beside the tests that run it.

use std::process::ExitCode;

fn main() -> ExitCode {
    berth_cdi::cli::run(std::env::args_os()).into()
}
