//! NVIDIA's container toolkit, built from the Go module registry, to compare with.
#![expect(clippy::disallowed_methods, reason = "looks for what was built")]

use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use crate::{
    cache::{Cache, CacheError},
    program::{Program, ProgramError},
};

/// The release that Berth is compared with.
const VERSION: &str = "1.20.2";
const MODULE: &str = "github.com/NVIDIA/nvidia-container-toolkit";
const BUILDING: Duration = Duration::from_secs(20 * 60);

/// The toolkit could not be built.
#[derive(Debug, thiserror::Error)]
pub enum GoError {
    /// The cache folder cannot be used.
    #[error(transparent)]
    Cache(#[from] CacheError),
    /// go failed.
    #[error(
        "NVIDIA's container toolkit could not be built; it takes go, a C compiler and the module registry"
    )]
    Build(#[from] ProgramError),
}

/// NVIDIA's programs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Peer {
    /// Their version.
    pub version: &'static str,
    /// `nvidia-ctk`.
    pub ctk: PathBuf,
    /// `nvidia-cdi-hook`.
    pub hook: PathBuf,
}

/// NVIDIA's programs, built if they are not in the cache.
///
/// # Errors
/// [`GoError`].
pub fn peer(cache: &Cache) -> Result<Peer, GoError> {
    let folder =
        cache.keep(&format!("go/nvidia-container-toolkit-{VERSION}"), |making| build(cache, making))?;
    Ok(Peer { version: VERSION, ctk: folder.join("nvidia-ctk"), hook: folder.join("nvidia-cdi-hook") })
}

fn build(cache: &Cache, making: &Path) -> Result<(), GoError> {
    let work = cache.subfolder("making/go")?;
    let (modules, built) = (work.join("modules"), work.join("built"));
    let commands = ["nvidia-ctk", "nvidia-cdi-hook"].map(|name| format!("{MODULE}/cmd/{name}@v{VERSION}"));
    let install = Program::new("go").arguments(["install", "-trimpath", "-modcacherw", "-ldflags", "-s -w"]);
    install
        .arguments(commands)
        .environment("CGO_ENABLED", "1")
        .environment("GOTOOLCHAIN", "local")
        .environment("GOFLAGS", "")
        .environment("GOBIN", making)
        .environment("GOPATH", &modules)
        .environment("GOMODCACHE", modules.join("pkg/mod"))
        .environment("GOCACHE", built)
        .folder(making)
        .run(BUILDING)?;
    // Only the programs are kept: sources and objects are some hundred megabytes.
    drop(fs::remove_dir_all(work));
    Ok(())
}
