//! A node on disk: made, opened again, and turned into another machine.
//!
//! Invariants: the record tells what the tree is; changes are made one at a time, under a lock; of the tree
//! only what differs is touched, so that whoever watches it sees what a real change shows.

mod error;
mod files;
mod kernel;
mod lock;
mod record;

use std::path::{Path, PathBuf};

use berth_fake_nvml::state::{State, Store};

pub(crate) use self::files::Located;
pub use self::{
    error::NodeError,
    files::{DriverSource, FilesError},
    record::{Record, RecordError},
};
use crate::{
    layout::Layout,
    machine::{Feature, Gpu, Machine},
    nvml::{self, MigChange},
    plan,
    tree::{Tree, difference, write},
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
    /// MIG instances of GPUs, by minor.
    pub mig: Vec<(u32, Vec<MigChange>)>,
    /// The simulated NVML library; `None` leaves the driver's own in place.
    pub nvml: Option<PathBuf>,
    /// Programs to be installed in /usr/bin, such as the OCI hook that a spec names.
    pub programs: Vec<PathBuf>,
}

impl Recipe {
    /// A node with stand-ins for the driver's files, without NVML and with nothing else.
    #[must_use]
    pub fn new(layout: Layout, gpus: Vec<Gpu>) -> Self {
        Self {
            layout,
            driver: DriverSource::default(),
            gpus,
            features: Vec::new(),
            mig: Vec::new(),
            nvml: None,
            programs: Vec::new(),
        }
    }
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
        write::write(root, &plan::skeleton())?;
        let store = Store::create(&root.join(nvml::FOLDER), &nvml::config(&machine, &files::whole(root)))?;
        store.update(|state| {
            let mut changes =
                recipe.mig.iter().flat_map(|(gpu, changes)| changes.iter().map(move |one| (*gpu, one)));
            changes.try_for_each(|(gpu, change)| nvml::change(state, gpu, change))
        })?;
        machine.instances = nvml::instances(&store.read()?);
        let programs = recipe.programs.iter().map(|path| files::whole(path)).collect();
        let record = Record {
            machine,
            sources: vec![driver],
            nvml: recipe.nvml.as_deref().map(files::whole),
            programs,
        };
        let node = Self { root: root.to_path_buf(), record };
        write::write(root, &node.tree()?)?;
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

    /// What it was when it was last looked at or changed through this value.
    #[must_use]
    pub fn machine(&self) -> &Machine {
        &self.record.machine
    }

    /// The state of its simulated NVML.
    #[must_use]
    pub fn store(&self) -> Store {
        Store::at(&self.root.join(nvml::FOLDER))
    }

    /// Turns the node into what `change` makes of its machine: what differs is made or removed, what is the
    /// same is not touched.
    ///
    /// # Errors
    /// [`NodeError`]; the record then still tells of the old machine.
    pub fn change(&mut self, change: impl FnOnce(&mut Machine)) -> Result<(), NodeError> {
        let _lock = lock::lock(&self.root)?;
        self.record = Record::load(&self.root)?;
        let before = (self.userland()?, self.running());
        let old = self.record.machine.clone();
        change(&mut self.record.machine);
        let done = self.write_difference(&before).and_then(|()| Ok(self.record.save(&self.root)?));
        if done.is_err() {
            self.record.machine = old;
        }
        done
    }

    /// Edits NVML's state; every process that has the library open sees it at its next call.
    ///
    /// # Errors
    /// [`NodeError::Store`].
    pub fn edit(&self, edit: impl FnOnce(&mut State)) -> Result<(), NodeError> {
        Ok(self.store().edit(edit)?)
    }

    /// Makes the capability nodes and files those of the instances that NVML has, whoever made them.
    ///
    /// # Errors
    /// [`NodeError`].
    pub fn sync(&mut self) -> Result<(), NodeError> {
        let instances = nvml::instances(&self.store().read()?);
        self.change(|machine| machine.instances = instances)
    }

    /// Adds a driver that the node may be changed to, and answers its version.
    ///
    /// # Errors
    /// [`NodeError::Files`].
    pub(crate) fn add_driver(&mut self, source: &DriverSource) -> Result<Located, NodeError> {
        let located = files::locate(source)?;
        let _lock = lock::lock(&self.root)?;
        self.record = Record::load(&self.root)?;
        self.record.sources.retain(|known| known.version != located.version);
        self.record.sources.push(located.clone());
        self.record.save(&self.root)?;
        Ok(located)
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

    /// All that the node's files are.
    ///
    /// # Errors
    /// [`NodeError::Files`] if the driver's files are gone.
    pub fn tree(&self) -> Result<Tree, NodeError> {
        let mut tree = plan::skeleton();
        tree.merge(plan::programs(&self.record.programs));
        tree.merge(self.userland()?);
        tree.merge(self.running());
        Ok(tree)
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
