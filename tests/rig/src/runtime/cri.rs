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
    files::{self, FilesError},
    image,
    station::{Station, StationError},
};

/// Plugins of containerd that nothing here needs.
const DISABLED: [&str; 1] = ["io.containerd.nri.v1.nri"];
/// Containerd's namespace for Kubernetes.
const NAMESPACE: &str = "k8s.io";
/// The number of `NamespaceMode.NODE` in CRI's `api.proto`: the pod has no network of its own.
const NODE: i32 = 2;
/// The client.
const CRICTL: &str = "crictl";
/// Its configuration: where the daemon serves.
const SETTINGS: &str = "crictl.yaml";
/// The file that describes the pod.
const POD: &str = "pod.json";

/// Files of scripts: a failure names them.
const SCRIPTS: [(&str, &str); 2] = [("start-pod", START_POD), ("run-container", RUN)];

/// Waits for the images `$2` and `$3`, which the daemon's CRI learns of a moment after their import, and starts the
/// pod `$4`.
const START_POD: &str = r#"for image in "$2" "$3"; do until "$1" inspecti --quiet "$image" >/dev/null 2>&1; do :; done; done
exec "$1" runp "$4"
"#;

/// Runs the container `$4` in the pod `$2`, which `$3` describes, to its end, and ends as it did.
const RUN: &str = r#"cri=$1
id=$(printf %s "$4" | "$cri" create "$2" /dev/stdin "$3") || exit
trap '"$cri" rm --force "$id" >/dev/null' EXIT
"$cri" start "$id" >/dev/null && "$cri" logs --follow "$id" &&
  exit "$("$cri" inspect --output go-template --template '{{.status.exitCode}}' "$id")"
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
    /// It ends with this value.
    _daemon: Daemon,
    folder: PathBuf,
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
        fill(&folder, &crictl(station.cache())?, &station.group()).map_err(StationError::from)?;
        let daemon = Daemon::start(station, &folder, &DISABLED, &tables(&folder, cdi))?;
        let settings = settings(daemon.socket());
        files::text(&folder.join(SETTINGS), &settings).map_err(StationError::from)?;
        daemon.import(station, NAMESPACE)?;
        let mut cri = Self { _daemon: daemon, folder, pod: String::new(), started: AtomicU32::new(0) };
        let start = cri.script("start-pod").arguments([image::NAME, image::PAUSE]);
        let told = station.run(start.arguments([cri.folder.join(POD)]), STARTING)?;
        told.trim().clone_into(&mut cri.pod);
        Ok(cri)
    }

    /// One of [`SCRIPTS`]; its first argument is `crictl`, which speaks with the daemon.
    fn script(&self, name: &str) -> Program {
        Program::new("sh")
            .arguments([self.folder.join(name), self.folder.join(CRICTL)])
            .environment("CRI_CONFIG_FILE", self.folder.join(SETTINGS))
    }
}

impl Runtime for Cri {
    fn name(&self) -> String {
        "containerd through CRI".into()
    }

    fn command(&self, container: &Container<'_>) -> Program {
        let name = format!("container-{}", self.started.fetch_add(1, Ordering::Relaxed));
        self.script("run-container")
            .arguments([&self.pod])
            .arguments([self.folder.join(POD)])
            .arguments([description(&name, container)])
    }
}

/// Puts what the client needs into `folder`.
fn fill(folder: &Path, client: &Path, group: &str) -> Result<(), FilesError> {
    files::same(client, &folder.join(CRICTL))?;
    files::text(&folder.join(POD), &pod(folder, group))?;
    SCRIPTS.iter().try_for_each(|(name, text)| files::text(&folder.join(name), text))
}

/// What the client is told; it gives each call 2 s if it is not told otherwise.
fn settings(socket: &Path) -> String {
    let (socket, timeout) = (socket.display(), STARTING.as_secs());
    format!("runtime-endpoint: unix://{socket}\nimage-endpoint: unix://{socket}\ntimeout: {timeout}\n")
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
