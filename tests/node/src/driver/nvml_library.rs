//! Finds the simulated libraries that take the place of the driver's own.
#![expect(clippy::disallowed_methods, reason = "looks for a file")]

use std::{
    env, fs,
    path::{Path, PathBuf},
};

const NVML: &str = "libberth_fake_nvml.so";
const DXCORE: &str = "libberth_fake_dxcore.so";

/// The library is not to be found.
#[derive(Debug, thiserror::Error)]
#[error(
    "{name} is in none of {folders:?}; build it with `cargo build -p berth-fake-nvml -p berth-fake-dxcore`, or name \
     NVML with --nvml or BERTH_FAKE_NVML"
)]
pub struct NotBuilt {
    name: &'static str,
    folders: Vec<PathBuf>,
}

/// NVML beside the running program: in the build folder of the program, or of a test of it.
///
/// # Errors
/// [`NotBuilt`], with the folders that were looked in.
pub fn beside_program() -> Result<PathBuf, NotBuilt> {
    beside(NVML)
}

/// The library of Windows' adapters, found as NVML is.
///
/// # Errors
/// [`NotBuilt`], with the folders that were looked in.
pub fn dxcore_beside_program() -> Result<PathBuf, NotBuilt> {
    beside(DXCORE)
}

fn beside(name: &'static str) -> Result<PathBuf, NotBuilt> {
    let program = env::current_exe().unwrap_or_default();
    let folders: Vec<PathBuf> = program.ancestors().skip(1).take(2).map(Path::to_path_buf).collect();
    let places = folders.iter().flat_map(|folder| [folder.join(name), folder.join("deps").join(name)]);
    let newest = places.filter_map(|path| Some((fs::metadata(&path).ok()?.modified().ok()?, path))).max();
    newest.map(|(_, path)| path).ok_or(NotBuilt { name, folders })
}
