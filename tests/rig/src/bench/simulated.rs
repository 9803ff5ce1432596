//! A node for a comparison: made in a temporary folder, entered, and removed at the end.

use std::{path::Path, sync::Arc};

use berth_node::{
    Node, Recipe,
    enter::Namespace,
    layout::Layout,
    machine::{self, Feature},
    node::DriverSource,
    nvml::MigChange,
};
use tempfile::TempDir;

use super::{BenchError, Programs};

/// A node that programs can be run on. It goes when this value goes.
#[derive(Debug)]
pub struct Simulated {
    inside: Arc<Namespace>,
    node: Node,
    folder: TempDir,
}

impl Simulated {
    /// A node with `boards`, such as `8xh100-sxm-80gb`, each cut into MIG devices of the profiles `mig`.
    ///
    /// # Errors
    /// [`BenchError`] when it cannot be made; mounts and device nodes take root.
    pub fn new(
        programs: &Programs,
        layout: Layout,
        boards: &str,
        mig: &[&str],
        features: &[Feature],
    ) -> Result<Self, BenchError> {
        let gpus = machine::parse_gpus(boards).and_then(|boards| machine::place(&boards, &[]));
        let gpus = gpus.map_err(|error| BenchError::Request(error.to_string()))?;
        let changes = cut(mig)?;
        let mut recipe = Recipe {
            driver: DriverSource::Unpacked(programs.driver.clone()),
            nvml: Some(programs.nvml.clone()),
            features: features.to_vec(),
            ..Recipe::new(layout, gpus)
        };
        if !changes.is_empty() {
            recipe.mig = recipe.gpus.iter().map(|gpu| (gpu.minor, changes.clone())).collect();
        }
        let folder = tempfile::Builder::new().prefix("berth-rig-").tempdir();
        let folder = folder.map_err(BenchError::file("a temporary folder"))?;
        let node = Node::create(&folder.path().join("node"), &recipe)?;
        let inside = Arc::new(Namespace::new(node.root())?);
        Ok(Self { inside, node, folder })
    }

    /// The node.
    #[must_use]
    pub fn node(&self) -> &Node {
        &self.node
    }

    /// A folder outside the node, which goes with it.
    #[must_use]
    pub fn scratch(&self) -> &Path {
        self.folder.path()
    }

    /// Runs `code` where the node is the machine.
    ///
    /// # Errors
    /// [`BenchError`] when the node cannot be entered, or of `code`.
    pub fn inside<T: Send + 'static>(
        &self,
        code: impl FnOnce() -> Result<T, BenchError> + Send + 'static,
    ) -> Result<T, BenchError> {
        self.inside.inside(code)?
    }
}

/// What turns MIG on and makes one instance of each profile.
fn cut(profiles: &[&str]) -> Result<Vec<MigChange>, BenchError> {
    if profiles.is_empty() {
        return Ok(Vec::new());
    }
    let wrong = |profile: &str| BenchError::Request(format!("{profile} is no MIG profile"));
    let instances =
        profiles.iter().map(|profile| profile.parse().map(MigChange::Create).map_err(|_form| wrong(profile)));
    [Ok(MigChange::Enable)].into_iter().chain(instances).collect()
}
