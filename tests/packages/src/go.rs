//! Programs built from the Go module registry: NVIDIA's container toolkit, to compare with, and the client of
//! Kubernetes' interface to runtimes.
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

/// The client's release.
const CRICTL_VERSION: &str = "1.37.0";
const CRICTL: &str = "sigs.k8s.io/cri-tools/cmd/crictl";

/// A program could not be built.
#[derive(Debug, thiserror::Error)]
pub enum GoError {
    /// The cache folder cannot be used.
    #[error(transparent)]
    Cache(#[from] CacheError),
    /// go failed.
    #[error("{name} could not be built; it takes go, a C compiler and the module registry")]
    Build {
        /// What was built.
        name: &'static str,
        /// What go said.
        source: ProgramError,
    },
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
    let commands = ["nvidia-ctk", "nvidia-cdi-hook"].map(|name| format!("{MODULE}/cmd/{name}@v{VERSION}"));
    let toolkit = Build { name: "nvidia-container-toolkit", version: VERSION, commands: &commands, c: true };
    let folder = toolkit.kept(cache)?;
    Ok(Peer { version: VERSION, ctk: folder.join("nvidia-ctk"), hook: folder.join("nvidia-cdi-hook") })
}

/// `crictl`, built if it is not in the cache.
///
/// # Errors
/// [`GoError`].
pub fn crictl(cache: &Cache) -> Result<PathBuf, GoError> {
    let commands = [format!("{CRICTL}@v{CRICTL_VERSION}")];
    let client = Build { name: "crictl", version: CRICTL_VERSION, commands: &commands, c: false };
    Ok(client.kept(cache)?.join("crictl"))
}

/// Commands of one module.
struct Build<'a> {
    name: &'static str,
    version: &'static str,
    commands: &'a [String],
    /// Whether it takes a C compiler.
    c: bool,
}

impl Build<'_> {
    /// The folder that holds the programs.
    fn kept(&self, cache: &Cache) -> Result<PathBuf, GoError> {
        cache.keep(&format!("go/{}-{}", self.name, self.version), |making| self.build(cache, making))
    }

    fn build(&self, cache: &Cache, making: &Path) -> Result<(), GoError> {
        let work = cache.subfolder(&format!("making/go-{}", self.name))?;
        let (modules, built) = (work.join("modules"), work.join("built"));
        Program::new("go")
            .arguments(["install", "-trimpath", "-modcacherw", "-ldflags", "-s -w"])
            .arguments(self.commands)
            .environment("CGO_ENABLED", if self.c { "1" } else { "0" })
            .environment("GOTOOLCHAIN", "local")
            .environment("GOFLAGS", "")
            .environment("GOBIN", making)
            .environment("GOPATH", &modules)
            .environment("GOMODCACHE", modules.join("pkg/mod"))
            .environment("GOCACHE", built)
            // Where it counts its own use.
            .environment("XDG_CONFIG_HOME", work.join("config"))
            .folder(making)
            .run(BUILDING)
            .map_err(|source| GoError::Build { name: self.name, source })?;
        // Only the programs are kept: sources and objects are some hundred megabytes.
        drop(fs::remove_dir_all(work));
        Ok(())
    }
}
