//! What to observe, and where.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    time::Duration,
};

use crate::root::Root;

/// How long NVML may take in all, when nothing else is said: a driver that initialises 16 GPUs without persistence
/// takes up to about 15 seconds.
pub const NVML_DEADLINE: Duration = Duration::from_secs(30);

/// Where the host's parts lie.
#[derive(Debug, Clone)]
pub struct Roots {
    /// Where this process sees the host's `/`.
    pub host: Root,
    /// The host's folder below which the driver's files lie; `/` if the host itself has them.
    pub driver: PathBuf,
    /// The host's folder below which `dev` with the driver's nodes lies; `/` in most cases.
    pub dev: PathBuf,
}

impl Roots {
    /// A host with driver and nodes in their usual places.
    #[must_use]
    pub fn plain(host: Root) -> Self {
        Self { host, driver: PathBuf::from("/"), dev: PathBuf::from("/") }
    }
}

/// What to observe: only that is looked at.
#[derive(Debug, Clone)]
pub struct Options {
    /// Parts of the snapshot that the caller reads.
    pub want: BTreeSet<Want>,
    /// Folders that are searched.
    pub search: Search,
    /// `uname -r` of the host: some firmware lies below it.
    pub kernel_release: String,
    /// How long NVML may take in all.
    pub nvml_deadline: Duration,
}

/// One part of the snapshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Want {
    /// Facts by which a mode is chosen.
    Platform,
    /// The same without NVML's library, for which folders would be listed.
    Machine,
    /// GPUs and MIG devices, by NVML, and the nodes that they and all GPUs need.
    Inventory,
    /// Whole GPUs, by `/proc`, and the nodes that they and all GPUs need: in place of [`Want::Inventory`] where NVML
    /// cannot be loaded.
    WholeGpus,
    /// All nodes of the driver, capabilities and IMEX channels included, without NVML.
    AllNodes,
    /// Libraries, programs, firmware and sockets of the driver.
    Driver,
    /// Libraries, modules and configuration for graphics.
    Graphics,
    /// Libraries that other vendors have too, such as `libGL.so`.
    ExplicitLibraries,
    /// Libraries for 32-bit programs.
    Libraries32,
    /// Channels of IMEX.
    Imex,
    /// Nodes and files of GPUDirect Storage.
    Storage,
    /// Nodes of InfiniBand's user-space drivers.
    Mofed,
    /// Nodes of NVSwitches.
    NvSwitch,
    /// The node of GDRCopy.
    Gdrcopy,
    /// What the lists of a Tegra board name.
    Tegra,
    /// WSL's driver store.
    Wsl,
}

impl Want {
    /// What mode `nvml` reads.
    pub const NVML: [Self; 3] = [Self::Inventory, Self::Driver, Self::Graphics];
    /// What mode `management` reads.
    pub const MANAGEMENT: [Self; 2] = [Self::AllNodes, Self::Driver];
}

/// Folders that are searched, in order. An empty list means the usual folders.
#[derive(Debug, Clone, Default)]
pub struct Search {
    /// Host folders of libraries, in place of the known ones and of the loader's cache.
    pub libraries: Vec<PathBuf>,
    /// Host folders of configuration, in place of `/etc` and the data folders.
    pub configs: Vec<PathBuf>,
    /// Folders of programs, before the usual ones: `PATH`.
    pub programs: Vec<PathBuf>,
    /// Folders of data: `XDG_DATA_DIRS`.
    pub data: Vec<PathBuf>,
    /// Lists of a Tegra board.
    pub tegra_lists: Vec<PathBuf>,
    /// Links that the lists name and that are left out: a path, or `**/` and a file name.
    pub tegra_ignored: Vec<String>,
}

impl Options {
    /// These parts, from the usual folders.
    #[must_use]
    pub fn new(want: impl IntoIterator<Item = Want>, kernel_release: impl Into<String>) -> Self {
        Self {
            want: want.into_iter().collect(),
            search: Search::default(),
            kernel_release: kernel_release.into(),
            nvml_deadline: NVML_DEADLINE,
        }
    }

    /// Whether `part` is wanted.
    #[must_use]
    pub fn wants(&self, part: Want) -> bool {
        self.want.contains(&part)
    }
}

/// `given`, or `usual` where nothing was given.
pub(super) fn or_usual<'a>(given: &'a [PathBuf], usual: &'a [&'a str]) -> Vec<&'a Path> {
    if given.is_empty() {
        usual.iter().map(Path::new).collect()
    } else {
        given.iter().map(PathBuf::as_path).collect()
    }
}
