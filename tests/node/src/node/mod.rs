//! A node on disk: made, opened again, and turned into another machine.

mod files;
mod kernel;
mod record;

use std::path::{Path, PathBuf};

pub use self::{
    files::{DriverSource, FilesError},
    record::{Record, RecordError},
};
use crate::{
    layout::Layout,
    machine::{Feature, Gpu, Machine},
    plan,
    tree::{
        Tree, difference,
        write::{self, WriteError},
    },
};

/// What a new node is made from.
#[derive(Debug, Clone)]
pub struct Recipe {
    /// Where the driver's files lie.
    pub layout: Layout,
    /// Where the driver's files come from.
    pub driver: DriverSource,
    /// GPUs on the bus.
    pub gpus: Vec<Gpu>,
    /// What else the node has.
    pub features: Vec<Feature>,
    /// The simulated NVML library; `None` leaves the driver's own in place.
    pub nvml: Option<PathBuf>,
}

/// What went wrong with a node.
#[derive(Debug, thiserror::Error)]
pub enum NodeError {
    /// The driver's files could not be had.
    #[error(transparent)]
    Files(#[from] FilesError),
    /// The record of the node is missing or unreadable.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The tree could not be made.
    #[error(transparent)]
    Write(#[from] WriteError),
}

/// A node below a root.
#[derive(Debug)]
pub struct Node {
    root: PathBuf,
    record: Record,
}

impl Node {
    /// Makes a new node below `root`; what stands there already is kept or replaced.
    ///
    /// # Errors
    /// [`NodeError`]; what was made before the error stands, and [`Node::destroy`] removes it.
    pub fn create(root: &Path, recipe: &Recipe) -> Result<Self, NodeError> {
        let driver = files::locate(&recipe.driver)?;
        let mut machine = Machine::new(recipe.layout, driver.version.clone(), recipe.gpus.clone());
        machine.features = recipe.features.iter().copied().collect();
        let record = Record { machine, sources: vec![driver], nvml: recipe.nvml.clone() };
        let node = Self { root: root.to_path_buf(), record };
        let mut tree = plan::skeleton();
        tree.merge(node.userland()?);
        tree.merge(node.running());
        write::write(root, &tree)?;
        node.record.save(root)?;
        Ok(node)
    }

    /// The node that was made below `root`.
    ///
    /// # Errors
    /// [`NodeError::Record`] if none was.
    pub fn open(root: &Path) -> Result<Self, NodeError> {
        Ok(Self { root: root.to_path_buf(), record: Record::load(root)? })
    }

    /// Where it is.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// What it is now.
    #[must_use]
    pub fn machine(&self) -> &Machine {
        &self.record.machine
    }

    /// Turns the node into `machine`: what differs is made or removed, what is the same is not touched.
    ///
    /// # Errors
    /// [`NodeError`]; the record then still tells of the old machine.
    pub fn become_machine(&mut self, machine: Machine) -> Result<(), NodeError> {
        let before = (self.userland()?, self.running());
        let old = std::mem::replace(&mut self.record.machine, machine);
        let done = self.write_difference(&before);
        match &done {
            Ok(()) => self.record.save(&self.root)?,
            Err(_) => self.record.machine = old,
        }
        done
    }

    fn write_difference(&self, (userland, running): &(Tree, Tree)) -> Result<(), NodeError> {
        write::apply(&self.root, &difference(userland, &self.userland()?))?;
        Ok(write::apply(&self.root, &difference(running, &self.running()))?)
    }

    /// Removes the node and all below its root.
    ///
    /// # Errors
    /// [`NodeError::Write`], for example while something is mounted in it.
    pub fn destroy(self) -> Result<(), NodeError> {
        Ok(write::remove_all(&self.root)?)
    }

    fn running(&self) -> Tree {
        plan::running(self.machine(), &kernel::devices())
    }

    fn userland(&self) -> Result<Tree, NodeError> {
        let machine = self.machine();
        let installed = self.record.files(&machine.userland)?;
        let unpacked = machine.unpacked.as_ref().map(|version| self.record.files(version)).transpose()?;
        Ok(plan::userland(machine, &installed, unpacked.as_ref()))
    }
}
