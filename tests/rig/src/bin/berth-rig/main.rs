//! `berth-rig compare`: Berth's spec beside that of NVIDIA's container toolkit, on every layout and mode.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a command-line tool")]

use std::{env, error::Error, path::Path, process::ExitCode};

use berth_node::driver::nvml_library;
use berth_packages::{Cache, peer};
use berth_rig::side_by_side::{CASES, Programs, break_all, compare_all, document};

fn main() -> ExitCode {
    if env::args().nth(1).as_deref() != Some("compare") {
        eprintln!("usage: berth-rig compare > docs/peer-comparison.md");
        return ExitCode::from(2);
    }
    match compare() {
        Ok(text) => {
            print!("{text}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("berth-rig: {error}");
            ExitCode::FAILURE
        }
    }
}

fn compare() -> Result<String, Box<dyn Error>> {
    let own = env::current_exe()?;
    let beside = own.parent().unwrap_or_else(|| Path::new("."));
    let peer = peer(&Cache::of_user())?;
    let programs = Programs {
        berth_cdi: beside.join("berth-cdi"),
        nvidia_ctk: peer.ctk,
        nvml: nvml_library::beside_program()?,
        dxcore: nvml_library::dxcore_beside_program()?,
    };
    Ok(document(&compare_all(&CASES, &programs), &break_all(&programs)?, peer.version))
}
