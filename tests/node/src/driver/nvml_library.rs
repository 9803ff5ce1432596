//! Finds the simulated NVML library that takes the place of the driver's own.
#![expect(clippy::disallowed_methods, reason = "looks for a file")]

use std::{
    env, fs,
    path::{Path, PathBuf},
};

const NAME: &str = "libberth_fake_nvml.so";

/// The library is not to be found.
#[derive(Debug, thiserror::Error)]
#[error(
    "{NAME} is in none of {0:?}; build it with `cargo build -p berth-fake-nvml`, or name it with --nvml or \
     BERTH_FAKE_NVML"
)]
pub struct NotBuilt(Vec<PathBuf>);

/// The library beside the running program: in the build folder of the program, or of a test of it.
///
/// # Errors
/// [`NotBuilt`], with the folders that were looked in.
pub fn beside_program() -> Result<PathBuf, NotBuilt> {
    let program = env::current_exe().unwrap_or_default();
    let folders: Vec<PathBuf> = program.ancestors().skip(1).take(2).map(Path::to_path_buf).collect();
    let places = folders.iter().flat_map(|folder| [folder.join(NAME), folder.join("deps").join(NAME)]);
    let newest = places.filter_map(|path| Some((fs::metadata(&path).ok()?.modified().ok()?, path))).max();
    newest.map(|(_, path)| path).ok_or(NotBuilt(folders))
}
