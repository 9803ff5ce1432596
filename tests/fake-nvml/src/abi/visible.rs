//! Which GPUs and MIG devices a process sees, told by the device nodes that it can open: so a container sees its own.
#![expect(clippy::disallowed_types, reason = "device nodes are opened")]

use std::{
    fs::File,
    path::{Path, PathBuf},
};

use nix::errno::Errno;

use crate::state::{Gpu, State};

/// Opens nodes, where the state asks for it.
#[derive(Debug)]
pub(super) struct Eyes {
    folder: Option<PathBuf>,
}

impl Eyes {
    pub(super) fn of(state: &State) -> Self {
        let folder = state.options.device_folder.clone().unwrap_or_else(|| "/dev".into());
        let looks = state.options.visible_by_device_nodes && !on_the_node(state);
        Self { folder: looks.then_some(folder) }
    }

    pub(super) fn see(&self, gpu: &Gpu) -> bool {
        self.opens(&format!("nvidia{}", gpu.minor))
    }

    /// A MIG device needs the nodes of both its instances.
    pub(super) fn see_part(&self, gpu: &Gpu, instance: u32, compute: u32) -> bool {
        let first = capability_minor(gpu.minor, instance);
        [first, first + 1 + compute].iter().all(|minor| self.opens(&format!("nvidia-caps/nvidia-cap{minor}")))
    }

    fn opens(&self, node: &str) -> bool {
        self.folder.as_deref().is_none_or(|folder| opens(&folder.join(node)))
    }
}

/// Minor number of the capability node of a GPU instance; its compute instances follow. The driver numbers two nodes
/// for the whole node first, then 15 GPU instances with 8 compute instances each per GPU.
#[must_use]
pub fn capability_minor(gpu: u32, instance: u32) -> u32 {
    3 + 135 * gpu + 9 * instance
}

fn on_the_node(state: &State) -> bool {
    state.options.node_mark.as_deref().is_some_and(Path::exists)
}

/// `ENXIO` tells of a node without a driver, which is as good as it gets here.
fn opens(node: &Path) -> bool {
    match File::options().read(true).write(true).open(node) {
        Ok(_) => true,
        Err(error) => error.raw_os_error().map(Errno::from_raw) == Some(Errno::ENXIO),
    }
}
