//! containerd through CRI, the interface by which Kubernetes starts containers: here the daemon resolves CDI devices,
//! by its own configuration. Its client is `crictl`.
//!
//! One pod with the node's network holds all containers.

use std::{
    path::{Path, PathBuf},
    sync::atomic::{AtomicU32, Ordering},
};

use berth_packages::{Program, crictl};
use serde_json::json;

use super::{
    Container, Runtime,
    daemon::{ContainerdError, Daemon, STARTING},
};
use crate::{
    files, image,
    station::{Station, StationError},
};

/// Plugins of containerd that nothing here needs.
const DISABLED: [&str; 1] = ["io.containerd.nri.v1.nri"];
/// Containerd's namespace for Kubernetes.
const NAMESPACE: &str = "k8s.io";
/// The number of `NamespaceMode.NODE` in CRI's `api.proto`: the pod has no network of its own.
const NODE: i32 = 2;

/// Waits for the images `$2` and `$3`, which the daemon's CRI learns of a moment after their import, and starts the
/// pod `$4`.
const START_POD: &str = r#"
for image in "$2" "$3"; do until "$1" inspecti --quiet "$image" >/dev/null 2>&1; do :; done; done
exec "$1" --timeout 60s runp "$4"
"#;

/// Runs the container `$4` in the pod `$2`, which `$3` describes, to its end, and ends as it did.
const RUN: &str = r#"
cri() { "$crictl" --timeout 60s "$@"; }
crictl=$1
id=$(printf %s "$4" | cri create "$2" /dev/stdin "$3") || exit
trap 'cri rm --force "$id" >/dev/null' EXIT
cri start "$id" >/dev/null && cri logs --follow "$id" &&
  exit "$(cri inspect --output go-template --template '{{.status.exitCode}}' "$id")"
"#;

/// Whether containerd's CRI gives CDI devices to containers: `enable_cdi` of its configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cdi {
    /// It reads the usual folders.
    On,
    /// It takes no notice of CDI devices.
    Off,
}

/// A containerd with CRI that runs on a station as long as this value lives.
#[derive(Debug)]
pub struct Cri {
    daemon: Daemon,
    crictl: PathBuf,
    config: PathBuf,
    pod: String,
    started: AtomicU32,
}

impl Cri {
    /// Starts containerd on the station, imports the images and starts a pod.
    ///
    /// # Errors
    /// [`ContainerdError`].
    pub fn new(station: &Station, cdi: Cdi) -> Result<Self, ContainerdError> {
        let folder = station.scratch(match cdi {
            Cdi::On => "cri",
            Cdi::Off => "cri-without-cdi",
        })?;
        let (client, config) = (folder.join("crictl"), folder.join("pod.json"));
        files::same(&crictl(station.cache())?, &client).map_err(StationError::from)?;
        files::text(&config, &pod(&folder, &station.group())).map_err(StationError::from)?;
        let daemon = Daemon::start(station, &folder, &DISABLED, &tables(&folder, cdi))?;
        daemon.import(station, NAMESPACE)?;
        let mut cri = Self { daemon, crictl: client, config, pod: String::new(), started: AtomicU32::new(0) };
        let start = cri.script(START_POD).arguments([image::NAME, image::PAUSE]).arguments([&cri.config]);
        cri.pod = station.run(start, STARTING)?.trim().to_owned();
        Ok(cri)
    }

    /// A script whose first argument is `crictl`, which speaks with the daemon.
    fn script(&self, text: &str) -> Program {
        let endpoint = format!("unix://{}", self.daemon.socket().display());
        Program::new("sh")
            .arguments(["-c", text, "sh"])
            .arguments([&self.crictl])
            .environment("CONTAINER_RUNTIME_ENDPOINT", &endpoint)
            .environment("IMAGE_SERVICE_ENDPOINT", &endpoint)
    }
}

impl Runtime for Cri {
    fn name(&self) -> String {
        "containerd through CRI".into()
    }

    fn command(&self, container: &Container<'_>) -> Program {
        let name = format!("container-{}", self.started.fetch_add(1, Ordering::Relaxed));
        self.script(RUN)
            .arguments([&self.pod])
            .arguments([&self.config])
            .arguments([description(&name, container)])
    }
}

/// CRI's `PodSandboxConfig`.
fn pod(folder: &Path, group: &str) -> String {
    json!({
        "metadata": {"name": "berth", "namespace": "berth", "uid": "berth"},
        "log_directory": folder.join("logs"),
        "linux": {"cgroup_parent": group, "security_context": {"namespace_options": {"network": NODE}}},
    })
    .to_string()
}

/// CRI's `ContainerConfig`; one field of it is written large in `api.proto` too.
fn description(name: &str, container: &Container<'_>) -> String {
    let devices = container.devices.iter().map(|device| json!({"name": device}));
    let mounts = container.folders.iter().map(|path| json!({"container_path": path, "host_path": path}));
    json!({
        "metadata": {"name": name},
        "image": {"image": image::NAME},
        "command": container.command,
        "log_path": format!("{name}.log"),
        "CDI_devices": devices.collect::<Vec<_>>(),
        "mounts": mounts.collect::<Vec<_>>(),
        "linux": {"security_context": {"namespace_options": {"network": NODE}}},
    })
    .to_string()
}

/// What CRI needs of containerd's configuration. A machine without CAP_SYS_RESOURCE lets nobody lower
/// `oom_score_adj`, so it is kept; the pod's own image is not fetched, it was imported.
fn tables(folder: &Path, cdi: Cdi) -> String {
    let (pause, network) = (image::PAUSE, folder.join("cni"));
    let enabled = cdi == Cdi::On;
    format!(
        "[plugins.\"io.containerd.cri.v1.images\"]\nsnapshotter = \"native\"\n\
         [plugins.\"io.containerd.cri.v1.images\".pinned_images]\nsandbox = \"{pause}\"\n\
         [plugins.\"io.containerd.cri.v1.runtime\"]\nrestrict_oom_score_adj = true\n\
         enable_cdi = {enabled}\ncdi_spec_dirs = [\"/etc/cdi\", \"/var/run/cdi\"]\n\
         [plugins.\"io.containerd.cri.v1.runtime\".cni]\nconf_dir = \"{}\"\n",
        network.display()
    )
}
