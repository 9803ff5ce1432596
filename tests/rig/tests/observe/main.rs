//! What `berth-cdi` observes of simulated nodes: NVML's answers, every layout of the driver, and what breaks.

#![expect(clippy::disallowed_methods, reason = "makes and looks at real files")]

mod faults;
mod layouts;
mod mig;

use std::{
    fs,
    path::{Path, PathBuf},
};

use berth_cdi::{
    host::{FoundFile, HostError, HostSnapshot, Options, Roots, Want, observe},
    root::Root,
};
use berth_node::{
    Node, Recipe,
    driver::nvml_library::beside_program,
    layout::Layout,
    machine::{parse_gpus, place},
};

/// A node and the library that is its NVML: each node has a file of its own, because a process that has loaded a file
/// once does not load it again under another name.
struct Simulated {
    node: Node,
    _folder: tempfile::TempDir,
}

impl Simulated {
    /// A node with these boards, as `recipe` changes it.
    fn new(layout: Layout, boards: &str, recipe: impl FnOnce(&mut Recipe)) -> Self {
        Self::with_library(layout, boards, recipe, |library| library)
    }

    /// The same, with a changed library.
    fn with_library(
        layout: Layout,
        boards: &str,
        recipe: impl FnOnce(&mut Recipe),
        library: impl FnOnce(Vec<u8>) -> Vec<u8>,
    ) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let nvml = folder.path().join("nvml.so");
        let built = fs::read(beside_program().expect("the simulated NVML")).expect("a library");
        fs::write(&nvml, library(built)).expect("a library");
        let gpus = place(&parse_gpus(boards).expect("boards"), &[]).expect("slots");
        let mut made = Recipe { nvml: Some(nvml), ..Recipe::new(layout, gpus) };
        recipe(&mut made);
        let node = Node::create(&folder.path().join("node"), &made).expect("a node");
        Self { node, _folder: folder }
    }

    fn path(&self, in_root: &Path) -> PathBuf {
        self.node.root().join(in_root.strip_prefix("/").expect("absolute"))
    }

    fn observe(&self, want: &[Want]) -> Result<HostSnapshot, HostError> {
        self.observe_with(&Options::new(want.iter().copied(), "6.1.0-berth"))
    }

    fn observe_with(&self, options: &Options) -> Result<HostSnapshot, HostError> {
        let layout = self.node.machine().layout;
        let host = Root::new(self.node.root()).expect("a root");
        let roots = Roots { host, driver: layout.driver_root().into(), dev: layout.dev_root().into() };
        observe(&roots, options)
    }
}

/// Every file that the snapshot gives out.
fn files(snapshot: &HostSnapshot) -> impl Iterator<Item = &FoundFile> {
    let files = &snapshot.files;
    [&files.libraries, &files.graphics, &files.modules, &files.binaries, &files.configs]
        .into_iter()
        .chain([
            &files.firmware,
            &files.sockets,
            &snapshot.storage,
            &snapshot.tegra.folders,
            &snapshot.tegra.libraries,
            &snapshot.tegra.link_targets,
        ])
        .chain([&snapshot.wsl.files])
        .flatten()
}
