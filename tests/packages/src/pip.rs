//! NVIDIA's Python binding of NVML, in a folder of its own.

use std::{path::PathBuf, time::Duration};

use crate::{apt::FetchError, cache::Cache, program::Program};

/// The release that is used.
const NVIDIA_ML_PY: &str = "nvidia-ml-py==13.615.71";

/// A folder for `PYTHONPATH` that holds NVIDIA's binding `pynvml`.
///
/// # Errors
/// [`FetchError`].
pub fn python(cache: &Cache) -> Result<PathBuf, FetchError> {
    cache.keep(&format!("pip/{}", NVIDIA_ML_PY.replace("==", "-")), |making| {
        let install = Program::new("python3").arguments(["-m", "pip", "install", "--quiet", "--no-deps"]);
        let install = install.arguments(["--no-cache-dir", "--no-compile", NVIDIA_ML_PY, "--target"]);
        Ok(install.arguments([making]).run(Duration::from_secs(300)).map(drop)?)
    })
}
