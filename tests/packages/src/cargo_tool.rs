//! Tools of cargo that a check needs, built into the cache.

use std::{path::PathBuf, time::Duration};

use crate::{apt::FetchError, cache::Cache, program::Program};

const BUILDING: Duration = Duration::from_secs(25 * 60);

/// The program of the crate `name` at `version`, built if it is not in the cache.
///
/// # Errors
/// [`FetchError`].
pub fn cargo_tool(cache: &Cache, name: &str, version: &str) -> Result<PathBuf, FetchError> {
    let target = cache.subfolder(&format!("making/cargo-{name}"))?;
    let folder = cache.keep(&format!("cargo/{name}-{version}"), |making| {
        let install = Program::new("cargo").arguments(["install", "--locked", "--quiet", "--no-track", name]);
        let install = install.arguments(["--version", version, "--root"]).arguments([making]);
        install.environment("CARGO_TARGET_DIR", &target).folder(making).run(BUILDING).map(drop)?;
        Ok::<(), FetchError>(())
    })?;
    Ok(folder.join("bin").join(name))
}
