//! podman, with storage of its own.

use std::time::Duration;

use berth_packages::Program;

use super::{Container, Runtime, alone};
use crate::{
    image,
    station::{Station, StationError},
};

const LOADING: Duration = Duration::from_secs(60);

/// What podman starts containers with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OciRuntime {
    /// runc.
    Runc,
    /// crun; it refuses machines whose controllers are split between the two generations of cgroups.
    Crun,
}

impl OciRuntime {
    fn name(self) -> &'static str {
        match self {
            Self::Runc => "runc",
            Self::Crun => "crun",
        }
    }
}

/// podman on a station.
#[derive(Debug)]
pub struct Podman {
    oci: OciRuntime,
    group: String,
}

impl Podman {
    /// Sets podman up on the station and loads the image.
    ///
    /// # Errors
    /// [`StationError`].
    pub fn new(station: &Station, oci: OciRuntime) -> Result<Self, StationError> {
        let storage = station.scratch("podman")?.display().to_string();
        let set = |name: &'static str, text: String| {
            let write =
                format!("mkdir -p /etc/containers && cat > /etc/containers/{name} <<'END'\n{text}END\n");
            station.run(Program::new("sh").arguments(["-ec", &write]), LOADING)
        };
        set("containers.conf", containers_conf())?;
        set("storage.conf", storage_conf(&storage))?;
        let archive = station.image()?;
        station.run(alone("podman").arguments(["load", "--quiet", "-i"]).arguments([archive]), LOADING)?;
        Ok(Self { oci, group: station.group() })
    }
}

impl Podman {
    /// The same podman with another runtime below it.
    #[must_use]
    pub fn with(&self, oci: OciRuntime) -> Self {
        Self { oci, group: self.group.clone() }
    }
}

impl Runtime for Podman {
    fn name(&self) -> String {
        format!("podman with {}", self.oci.name())
    }

    fn command(&self, container: &Container<'_>) -> Program {
        let devices =
            container.devices.iter().flat_map(|device| ["--device".to_owned(), (*device).to_owned()]);
        let folders =
            container.folders.iter().flat_map(|path| ["--volume".to_owned(), format!("{path}:{path}")]);
        alone("podman")
            .arguments(["--runtime", self.oci.name(), "run", "--rm", "--network=none"])
            .arguments(["--cgroup-parent", &self.group])
            .arguments(devices)
            .arguments(folders)
            .arguments([image::NAME])
            .arguments(container.command)
    }
}

/// Limits as low as a machine without CAP_SYS_RESOURCE may set them; locks in files, since shared memory is the
/// machine's.
fn containers_conf() -> String {
    "[containers]\ndefault_ulimits = [\"nofile=1024:1024\", \"nproc=1024:1024\"]\nnetns = \"none\"\n\
     log_driver = \"k8s-file\"\n[engine]\ncgroup_manager = \"cgroupfs\"\nevents_logger = \"file\"\n\
     lock_type = \"file\"\nruntime = \"runc\"\n"
        .to_owned()
}

fn storage_conf(folder: &str) -> String {
    format!("[storage]\ndriver = \"vfs\"\ngraphroot = \"{folder}/graph\"\nrunroot = \"{folder}/run\"\n")
}
