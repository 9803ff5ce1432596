//! containerd, and its client `ctr`, which resolves CDI devices itself.

use std::sync::atomic::{AtomicU32, Ordering};

use berth_packages::Program;

use super::{
    Container, Runtime,
    daemon::{ContainerdError, Daemon},
};
use crate::{image, station::Station};

/// The plugins for Kubernetes; `ctr` needs none of them.
const DISABLED: [&str; 4] = [
    "io.containerd.cri.v1.runtime",
    "io.containerd.cri.v1.images",
    "io.containerd.grpc.v1.cri",
    "io.containerd.nri.v1.nri",
];

/// A containerd that runs on a station as long as this value lives.
#[derive(Debug)]
pub struct Containerd {
    daemon: Daemon,
    group: String,
    started: AtomicU32,
}

impl Containerd {
    /// Starts containerd on the station and imports the image.
    ///
    /// # Errors
    /// [`ContainerdError`].
    pub fn new(station: &Station) -> Result<Self, ContainerdError> {
        let daemon = Daemon::start(station, &station.scratch("containerd")?, &DISABLED, "")?;
        daemon.import(station, "default")?;
        Ok(Self { daemon, group: station.group(), started: AtomicU32::new(0) })
    }
}

impl Runtime for Containerd {
    fn name(&self) -> String {
        "containerd with runc".into()
    }

    fn command(&self, container: &Container<'_>) -> Program {
        let devices =
            container.devices.iter().flat_map(|device| ["--device".to_owned(), (*device).to_owned()]);
        let bind = |path: &&str| format!("type=bind,src={path},dst={path},options=rbind:rw");
        let folders = container.folders.iter().flat_map(|path| ["--mount".to_owned(), bind(path)]);
        let name = format!("container-{}", self.started.fetch_add(1, Ordering::Relaxed));
        self.daemon
            .ctr()
            .arguments(["run", "--cgroup", &format!("{}/{name}", self.group)])
            .arguments(["--rm", "--snapshotter", "native"])
            .arguments(devices)
            .arguments(folders)
            .arguments([image::NAME, &name])
            .arguments(container.command)
    }
}
