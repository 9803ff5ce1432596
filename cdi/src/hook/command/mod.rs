//! What the hook is asked to do, from its command line.
//!
//! `create-container` asks for everything in one process. The names and flags of NVIDIA's `nvidia-cdi-hook` are
//! understood too, one task a process, so that specs written for it work by changing the program's path.

mod flags;
mod parse;

use std::path::PathBuf;

pub use parse::{CommandError, parse};

/// Where CUDA images keep the libraries of forward compatibility.
pub const COMPAT_FOLDER: &str = "/usr/local/cuda/compat";

/// What one run does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// Changes in a container's root.
    Perform(Request),
    /// Nothing, with the reason: an unknown hook is one that another version knows, and must not stop containers.
    Nothing(String),
    /// Print the version.
    Version,
    /// Print the usage.
    Help,
}

/// Changes in a container's root.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Request {
    /// Links to be made.
    pub links: Vec<Link>,
    /// Links to be made if what they lead to is in the container.
    pub links_if_present: Vec<Link>,
    /// Whether to use newer CUDA libraries of the image.
    pub compat: Option<CompatRequest>,
    /// Folders of the loader's cache beside the container's own; `None` leaves the cache alone.
    pub cache: Option<Vec<PathBuf>>,
    /// Whether to tell the driver's libraries that they make no device nodes.
    pub keep_device_nodes: bool,
    /// Whether to show EGL and Vulkan the container's GPUs alone.
    pub application_profile: bool,
}

/// A symbolic link in the container.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// What it says: text that the container's programs follow, nobody else.
    pub target: PathBuf,
    /// Where it stands, absolute.
    pub link: PathBuf,
}

/// What is known of the host, to be compared with the image's CUDA libraries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompatRequest {
    /// Version of the host's driver, such as `550.163.01`.
    pub host_driver: Option<String>,
    /// CUDA version of the host's driver, such as `12.4`.
    pub host_cuda: Option<String>,
    /// Folder of the image's libraries.
    pub folder: PathBuf,
}

impl Default for CompatRequest {
    fn default() -> Self {
        Self { host_driver: None, host_cuda: None, folder: COMPAT_FOLDER.into() }
    }
}
