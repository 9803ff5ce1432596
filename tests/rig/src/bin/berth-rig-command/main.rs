//! `berth-cdi` itself, as a program of the test bench: cargo builds a test the programs of its own package alone.

use std::process::ExitCode;

fn main() -> ExitCode {
    berth_cdi::cli::run(std::env::args_os()).into()
}
