//! Both programs on one simulated node.
#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "makes nodes and runs programs")]

use std::{
    fs, io,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    process::Command,
};

use berth_cdi::spec::{Format, Spec, SpecError};
use berth_node::{
    Node, NodeError, Recipe,
    driver::{ElfMachine, shared_object},
    enter::{EnterError, Namespace},
    layout::Layout,
    machine,
    node::DriverSource,
    nvml::MigChange,
};
use berth_packages::{Cache, FetchError};

use super::Case;

/// The programs that are compared.
#[derive(Debug, Clone)]
pub struct Programs {
    /// `berth-cdi`.
    pub berth_cdi: PathBuf,
    /// `nvidia-ctk`.
    pub nvidia_ctk: PathBuf,
    /// The simulated NVML.
    pub nvml: PathBuf,
    /// The simulated library of Windows' adapters.
    pub dxcore: PathBuf,
}

/// A comparison that could not be made.
#[derive(Debug, thiserror::Error)]
pub enum CompareError {
    /// No such node.
    #[error("no such node: {0}")]
    Request(String),
    /// No temporary folder.
    #[error("cannot make a temporary folder; check free space and permissions")]
    Folder(#[source] io::Error),
    /// The node could not be made.
    #[error("cannot make the simulated node")]
    Node(#[from] NodeError),
    /// The driver's packages are not to be had.
    #[error(transparent)]
    Fetch(#[from] FetchError),
    /// One of its files could not be changed.
    #[error("cannot change {0} of the simulated node")]
    Change(PathBuf, #[source] io::Error),
    /// It could not be entered.
    #[error(transparent)]
    Enter(#[from] EnterError),
    /// A program could not be started.
    #[error("cannot run {0}; is it built?")]
    Start(PathBuf, #[source] io::Error),
    /// A program described nothing.
    #[error("{0} described nothing: {1}")]
    Failed(PathBuf, String),
    /// What it described is no spec.
    #[error("what {0} described cannot be read")]
    Spec(PathBuf, #[source] SpecError),
}

/// The specs of both programs, Berth's first, of the node of `case`.
///
/// # Errors
/// [`CompareError`].
pub fn specs(case: &Case, programs: &Programs) -> Result<(Spec, Spec), CompareError> {
    let folder = tempfile::Builder::new().prefix("berth-rig-").tempdir().map_err(CompareError::Folder)?;
    let node = Node::create(&folder.path().join("node"), &recipe(case, programs)?)?;
    add(node.root(), case, programs)?;
    let inside = Namespace::new(node.root())?;
    let (ours, theirs, flags) = (programs.berth_cdi.clone(), programs.nvidia_ctk.clone(), case.flags);
    inside.inside(move || {
        Ok((spec(&ours, &["generate"], flags)?, spec(&theirs, &["cdi", "generate"], flags)?))
    })?
}

/// What the node's layout leaves out: the library that answers on Windows, and the case's own files.
fn add(root: &Path, case: &Case, programs: &Programs) -> Result<(), CompareError> {
    let at = |path: &str| root.join(path.trim_start_matches('/'));
    let failed = |path: PathBuf| move |error| CompareError::Change(path, error);
    if case.layout == Layout::Wsl {
        let library = at("/usr/lib/wsl/lib/libdxcore.so");
        fs::copy(&programs.dxcore, &library).map_err(failed(library))?;
    }
    for (path, soname) in case.more {
        let path = at(path);
        let folder = path.parent().unwrap_or(root);
        fs::create_dir_all(folder).map_err(failed(folder.into()))?;
        let content = soname.map(|soname| shared_object(ElfMachine::X86_64, Some(soname)));
        fs::write(&path, content.unwrap_or_default()).map_err(failed(path.clone()))?;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).map_err(failed(path))?;
    }
    Ok(())
}

fn recipe(case: &Case, programs: &Programs) -> Result<Recipe, CompareError> {
    let gpus = machine::parse_gpus(case.boards).and_then(|boards| machine::place(&boards, &[]));
    let gpus = gpus.map_err(|error| CompareError::Request(error.to_string()))?;
    let last = gpus.last().map_or(0, |gpu| gpu.minor);
    let driver = match case.driver {
        Some(branch) => DriverSource::Unpacked(branch.unpacked(&Cache::of_user())?),
        None => DriverSource::default(),
    };
    let mut recipe = Recipe {
        driver,
        nvml: Some(programs.nvml.clone()),
        features: case.features.to_vec(),
        ..Recipe::new(case.layout, gpus)
    };
    if !case.mig.is_empty() {
        let create = case.mig.iter().filter_map(|profile| profile.parse().ok()).map(MigChange::Create);
        recipe.mig = vec![(last, [MigChange::Enable].into_iter().chain(create).collect())];
    }
    Ok(recipe)
}

fn spec(program: &Path, before: &[&str], flags: &[&str]) -> Result<Spec, CompareError> {
    let output = Command::new(program).args(before).args(flags).args(["--format", "json"]).output();
    let output = output.map_err(|error| CompareError::Start(program.into(), error))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(CompareError::Failed(program.into(), said.lines().last().unwrap_or_default().into()));
    }
    Spec::parse(&output.stdout, Format::Json).map_err(|error| CompareError::Spec(program.into(), error))
}
