//! Berth's static programs, built as they are shipped: by cargo, into a folder of their own so that their flags
//! throw away nobody else's objects.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use berth_packages::{Program, ProgramError};

const TARGET: &str = "x86_64-unknown-linux-gnu";
const BUILDING: Duration = Duration::from_secs(900);

/// How programs are compiled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Profile {
    /// Fast to compile.
    Dev,
    /// Fast to run.
    Release,
}

/// Where the static programs are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Built {
    /// `berth-cdi-hook`.
    pub hook: PathBuf,
    /// `berth-probe`.
    pub probe: PathBuf,
}

/// Builds the static programs; where nothing has changed this takes less than a second.
///
/// # Errors
/// What cargo said.
pub fn build(profile: Profile) -> Result<Built, ProgramError> {
    let folder = workspace().join("target/static");
    one("berth-cdi", "berth-cdi-hook", profile, &folder)?;
    one("berth-probe", "berth-probe", profile, &folder)?;
    let name = match profile {
        Profile::Dev => "debug",
        Profile::Release => "release",
    };
    let programs = folder.join(TARGET).join(name);
    Ok(Built { hook: programs.join("berth-cdi-hook"), probe: programs.join("berth-probe") })
}

/// The program `name` of this package or of a dependency, where cargo put it beside the running program.
#[must_use]
pub fn beside(name: &str) -> PathBuf {
    let program = std::env::current_exe().unwrap_or_default();
    let folder = program.parent().unwrap_or_else(|| Path::new("."));
    let folder = if folder.ends_with("deps") { folder.parent().unwrap_or(folder) } else { folder };
    folder.join(name)
}

fn one(package: &str, program: &str, profile: Profile, folder: &Path) -> Result<(), ProgramError> {
    let release = (profile == Profile::Release).then_some("--release");
    Program::new("cargo")
        .arguments(["build", "--quiet", "--locked", "--no-default-features", "--target", TARGET])
        .arguments(["--package", package, "--bin", program])
        .arguments(release)
        .environment("CARGO_TARGET_DIR", folder)
        .environment("RUSTFLAGS", "-C target-feature=+crt-static")
        .folder(workspace())
        .run(BUILDING)
        .map(drop)
}

fn workspace() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap_or_else(|| Path::new("."))
}
