//! What was observed on the host at one moment: all that a spec is built from.
//!
//! Three roots shape the paths. The *host root* is where this process sees the host's file system (`/`, or `/host`
//! in a pod): it stands in no path here. The *driver root* and the *dev root* are the host's own folders below which
//! the driver's files and the device nodes lie: they stand in host paths and not in container paths.
//! Every path here was seen to exist.

use std::{collections::BTreeMap, path::PathBuf};

use berth_allocator::inventory::Inventory;
use serde::{Deserialize, Serialize};

use super::capability::Capability;

/// The node that holds nothing, on the host itself whatever the dev root.
pub const NULL: &str = "/dev/null";

/// Everything that the modes of generation read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostSnapshot {
    /// GPUs and MIG devices, by NVML.
    pub inventory: Inventory,
    /// Version of the driver, such as `550.163.01`: what NVML says, else what the file names say.
    pub driver_version: Option<String>,
    /// CUDA version that the driver supports, such as `12.4`.
    pub cuda_version: Option<String>,
    /// Device nodes below `/dev`, by their path in a container.
    pub nodes: BTreeMap<PathBuf, NodeFacts>,
    /// Whether the host has [`NULL`] as a character device.
    pub null: bool,
    /// Minor number of each capability, from `/proc/driver/nvidia-caps/mig-minors`.
    pub capabilities: BTreeMap<Capability, u32>,
    /// Files of the driver's user land.
    pub files: DriverFiles,
    /// What kind of machine it is.
    pub platform: Platform,
    /// Major number of each character driver, from `/proc/devices`.
    pub majors: BTreeMap<String, u32>,
    /// Whether the driver makes and changes its device nodes itself (`ModifyDeviceFiles` of its parameters); `None`
    /// where it does not tell.
    pub modifies_device_files: Option<bool>,
    /// Files that GPUDirect Storage needs beside its nodes: `/run/udev`, `/etc/cufile.json`.
    pub storage: Vec<FoundFile>,
    /// What the lists of a Tegra board name.
    pub tegra: TegraFiles,
    /// What WSL's driver store holds.
    pub wsl: WslFiles,
    /// What was there and could not be used, in the order in which it was met.
    pub left_out: Vec<LeftOut>,
}

/// Something that was left out of the snapshot, and why; all else in it is whole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOut {
    /// A path of the host, or a device such as `mig 0:1`.
    pub what: String,
    /// For an operator: one lower-case sentence.
    pub why: String,
}

/// Facts by which a mode of generation is chosen.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Platform {
    /// Host path of NVML's library, if there is one.
    pub nvml: Option<PathBuf>,
    /// Whether it is a Tegra board: `/etc/nv_tegra_release`, or a `tegra...` family of the system chip.
    pub tegra: bool,
    /// Whether it is a Linux below Windows: `libdxcore.so` is there.
    pub wsl: bool,
}

/// What the lists of a Tegra board name, each verified, in the order of the lists.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TegraFiles {
    /// Character devices, by container path; their facts are in [`HostSnapshot::nodes`].
    pub nodes: Vec<PathBuf>,
    /// Folders.
    pub folders: Vec<FoundFile>,
    /// Libraries, links evaluated.
    pub libraries: Vec<FoundFile>,
    /// What listed links lead to.
    pub link_targets: Vec<FoundFile>,
    /// The listed links themselves, whole chains, and the names of libraries.
    pub links: Vec<Link>,
}

/// What WSL's driver store holds.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WslFiles {
    /// `libdxcore.so` and the files of the store.
    pub files: Vec<FoundFile>,
    /// `/usr/bin/nvidia-smi`.
    pub links: Vec<Link>,
}

/// A device node that exists and is a character device.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodeFacts {
    /// Where the host has it.
    pub host: PathBuf,
    /// Major number.
    pub major: u32,
    /// Minor number.
    pub minor: u32,
    /// Permission bits alone.
    pub mode: u32,
    /// Owner.
    pub uid: u32,
    /// Group.
    pub gid: u32,
}

/// A file or folder, where the host has it and where a container gets it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FoundFile {
    /// Host path, driver root included.
    pub host: PathBuf,
    /// Container path.
    pub container: PathBuf,
}

/// A symbolic link to be made in the container.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Link {
    /// What the link says: a file name or a relative path.
    pub target: String,
    /// Where it stands in the container.
    pub link: PathBuf,
}

/// Files of the driver's user land, each list of files sorted by container path and without repeats.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DriverFiles {
    /// In-container folders that hold the driver's versioned libraries, in the order of the search:
    /// `NVIDIA_CTK_LIBCUDA_DIR`.
    pub library_dirs: Vec<PathBuf>,
    /// Shared libraries.
    pub libraries: Vec<FoundFile>,
    /// Shared libraries for graphics.
    pub graphics: Vec<FoundFile>,
    /// Modules of the X server, which looks for them itself: the loader need not know their folders.
    pub modules: Vec<FoundFile>,
    /// Programs.
    pub binaries: Vec<FoundFile>,
    /// Configuration and data (glvnd, EGL, Vulkan, OpenCL, X.Org).
    pub configs: Vec<FoundFile>,
    /// GSP firmware of the running version.
    pub firmware: Vec<FoundFile>,
    /// Sockets and pipe folders of the driver's daemons.
    pub sockets: Vec<FoundFile>,
    /// Links that the libraries need (SONAME and development names, GBM, Vulkan).
    pub links: Vec<Link>,
}
