//! A simulated node with runtimes and `berth-cdi` installed, in which programs run as on a machine.
//!
//! Everything lies below one temporary folder, mounts are seen inside alone, and both go with the value.
#![expect(clippy::disallowed_methods, reason = "looks at the node's device nodes")]

use std::{
    collections::BTreeMap,
    fs,
    os::unix::fs::{FileTypeExt, MetadataExt},
    path::{Path, PathBuf},
    time::Duration,
};

use berth_cdi::spec::{Format, Spec, SpecError};
use berth_node::{
    Node, NodeError, Recipe,
    driver::nvml_library::{NotBuilt, beside_program},
    enter::{EnterError, Namespace},
    layout::Layout,
    machine::{GpuError, parse_gpus, place},
    node::DriverSource,
    nvml::MigChange,
};
use berth_packages::{Cache, FetchError, Program, ProgramError, preset::Preset};
use nix::sys::stat::{major, minor};

use crate::{
    built::{self, Built, Profile},
    files::{self, FilesError},
    image::{self, ImageError},
};

/// Where the spec is on the node.
pub const SPEC: &str = "/var/run/cdi/nvidia.yaml";
const CGROUPS: &str = "/sys/fs/cgroup";
const GENERATING: Duration = Duration::from_secs(60);

/// A station that could not be set up, or what went wrong in it.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "each is what its source is")]
pub enum StationError {
    #[error(transparent)]
    Fetch(#[from] FetchError),
    #[error(transparent)]
    Program(#[from] ProgramError),
    #[error(transparent)]
    Node(#[from] NodeError),
    #[error(transparent)]
    Enter(#[from] EnterError),
    #[error(transparent)]
    Files(#[from] FilesError),
    #[error(transparent)]
    Image(#[from] ImageError),
    #[error(transparent)]
    Boards(#[from] GpuError),
    #[error(transparent)]
    Nvml(#[from] NotBuilt),
    #[error(transparent)]
    Spec(#[from] SpecError),
    #[error("{0:?} is no profile of a MIG instance")]
    Profile(String),
    #[error("cannot use a temporary folder; check free space of TMPDIR")]
    Folder(#[source] std::io::Error),
    #[error("the container told nothing that can be understood: {0:?}")]
    Report(String, #[source] serde_json::Error),
}

/// What a station's node is.
#[derive(Debug, Clone, Default)]
pub struct Plan<'a> {
    /// Boards, such as `8xh100-sxm-80gb`.
    pub boards: &'a str,
    /// GPUs that are cut, by minor, and the profiles of their instances.
    pub mig: &'a [(u32, &'a [&'a str])],
    /// True for the real files of driver 550, false for stand-ins.
    pub real_driver: bool,
}

/// A node to run things on.
#[derive(Debug)]
pub struct Station {
    namespace: Namespace,
    node: Node,
    built: Built,
    cache: Cache,
    folder: tempfile::TempDir,
}

impl Station {
    /// Makes the node, installs runtimes and Berth's programs on it, and packs the image.
    ///
    /// # Errors
    /// [`StationError`].
    pub fn new(plan: &Plan<'_>, profile: Profile, cdi: &Path) -> Result<Self, StationError> {
        let cache = Cache::of_user();
        let built = built::build(profile)?;
        let folder = tempfile::Builder::new().prefix("berth-rig-").tempdir().map_err(StationError::Folder)?;
        let root = folder.path().join("node");
        let node = Node::create(&root, &recipe(plan, &cache)?)?;
        install(&root, &cache)?;
        files::copy(&built.hook, &root.join("usr/bin/berth-cdi-hook"))?;
        files::copy(cdi, &root.join("usr/bin/berth-cdi"))?;
        let namespace = Namespace::new(&root)?;
        Ok(Self { namespace, node, built, cache, folder })
    }

    /// The simulated node.
    #[must_use]
    pub fn node(&self) -> &Node {
        &self.node
    }

    /// Berth's static programs.
    #[must_use]
    pub fn built(&self) -> &Built {
        &self.built
    }

    /// The cache that software of others lies in.
    #[must_use]
    pub fn cache(&self) -> &Cache {
        &self.cache
    }

    /// The cgroup below which its containers are, in every hierarchy; it is the station's alone.
    #[must_use]
    pub fn group(&self) -> String {
        let name = self.folder.path().file_name().unwrap_or_default().to_string_lossy();
        format!("/{name}")
    }

    /// A folder for what belongs to the station, made if it is not there.
    ///
    /// # Errors
    /// [`StationError::Files`].
    pub fn scratch(&self, name: &str) -> Result<PathBuf, StationError> {
        let path = self.folder.path().join(name);
        files::folder(&path)?;
        Ok(path)
    }

    /// Runs `code` where the node is the machine.
    ///
    /// # Errors
    /// [`StationError::Enter`].
    pub fn inside<T: Send + 'static>(
        &self,
        code: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, StationError> {
        Ok(self.namespace.inside(code)?)
    }

    /// Runs a program where the node is the machine, and answers its standard output.
    ///
    /// # Errors
    /// [`StationError`].
    pub fn run(&self, program: Program, within: Duration) -> Result<String, StationError> {
        Ok(self.inside(move || program.run(within))??)
    }

    /// Generates the node's spec with `berth-cdi`, at its usual place.
    ///
    /// # Errors
    /// [`StationError`].
    pub fn generate(&self) -> Result<Spec, StationError> {
        self.run(Program::new("/usr/bin/berth-cdi").arguments(["generate", "--output", SPEC]), GENERATING)?;
        let text = self.run(Program::new("cat").arguments([SPEC]), GENERATING)?;
        Ok(Spec::parse(text.as_bytes(), Format::Yaml)?)
    }

    /// Packs the image that containers are made of.
    ///
    /// # Errors
    /// [`StationError::Image`].
    pub fn image(&self) -> Result<PathBuf, StationError> {
        let root = self.scratch("image-root")?;
        image::root(&root, &self.cache, &self.built)?;
        Ok(image::pack(&root, &self.scratch("image")?)?)
    }

    /// The node's device nodes of GPUs, with their numbers, by path on the node.
    #[must_use]
    pub fn gpu_nodes(&self) -> BTreeMap<String, (u64, u64)> {
        let mut found = BTreeMap::new();
        let dev = self.node.root().join("dev");
        for folder in ["", "nvidia-caps", "nvidia-caps-imex-channels", "dri"] {
            for entry in fs::read_dir(dev.join(folder)).into_iter().flatten().flatten() {
                let name = entry.file_name().to_string_lossy().into_owned();
                let ours = !folder.is_empty() || name.starts_with("nvidia");
                let facts = entry.metadata().ok().filter(|facts| ours && facts.file_type().is_char_device());
                let path = Path::new("/dev").join(folder).join(name).display().to_string();
                found.extend(facts.map(|facts| (path, (major(facts.rdev()), minor(facts.rdev())))));
            }
        }
        found
    }
}

/// What runtimes leave behind of the machine's: empty groups.
impl Drop for Station {
    fn drop(&mut self) {
        let group = self.group();
        let hierarchies = fs::read_dir(CGROUPS).into_iter().flatten().flatten().map(|entry| entry.path());
        for hierarchy in hierarchies.chain([CGROUPS.into()]) {
            remove_group(&hierarchy.join(group.trim_start_matches('/')));
        }
    }
}

/// A group is removed once those in it are; its files go with it.
fn remove_group(path: &Path) {
    for entry in fs::read_dir(path).into_iter().flatten().flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            remove_group(&entry.path());
        }
    }
    drop(fs::remove_dir(path));
}

fn recipe(plan: &Plan<'_>, cache: &Cache) -> Result<Recipe, StationError> {
    let gpus = place(&parse_gpus(plan.boards)?, &[])?;
    let driver = match plan.real_driver {
        true => DriverSource::Unpacked(Preset::Driver550.fetch(cache)?),
        false => DriverSource::default(),
    };
    let cut = |profiles: &[&str]| {
        let profile = |text: &&str| text.parse().map_err(|_form| StationError::Profile((*text).to_owned()));
        let create = profiles.iter().map(|text| profile(text).map(MigChange::Create));
        std::iter::once(Ok(MigChange::Enable)).chain(create).collect::<Result<Vec<_>, _>>()
    };
    let mig = plan.mig.iter().map(|(gpu, profiles)| Ok((*gpu, cut(profiles)?)));
    let mig = mig.collect::<Result<Vec<_>, StationError>>()?;
    Ok(Recipe { driver, mig, nvml: Some(beside_program()?), ..Recipe::new(Layout::Debian, gpus) })
}

/// Installs containerd, podman and their runtimes on the node, as their packages would.
fn install(root: &Path, cache: &Cache) -> Result<(), StationError> {
    for preset in [Preset::Podman, Preset::Runc, Preset::Containerd] {
        let tree = preset.fetch(cache)?;
        for below in ["usr/bin", "usr/sbin", "usr/lib", "usr/share/containers", "etc/containers"] {
            if tree.join(below).is_dir() {
                files::merge(&tree.join(below), &root.join(below))?;
            }
        }
    }
    Ok(())
}
