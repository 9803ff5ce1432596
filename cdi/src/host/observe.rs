//! The one entry: from roots and wishes to a snapshot. It looks, and chooses nothing that a spec would show.

use std::{
    mem,
    os::unix::fs::FileTypeExt as _,
    path::{Path, PathBuf},
};

use berth_allocator::inventory::Faulty;

use super::{
    error::HostError,
    files::{self, Choice, Folder, Version},
    nodes, numbers, nvml,
    options::{Options, Roots, Want},
    place::{Notes, Place},
    platform, procfs,
    snapshot::{HostSnapshot, NULL},
    storage, sysfs, tegra, wsl,
};

/// Parts for which the driver's folders are listed.
const IN_FOLDERS: [Want; 4] = [Want::Platform, Want::Inventory, Want::Driver, Want::Graphics];

/// Observes the wanted parts of a host.
///
/// # Errors
/// [`HostError`] when nothing useful can be said: an unusable root, no driver, half an upgrade, NVML that gives nothing.
pub fn observe(roots: &Roots, options: &Options) -> Result<HostSnapshot, HostError> {
    let place = |role, path: &Path| {
        let failed = |source| HostError::Root { role, path: path.into(), source };
        Place::new(&roots.host, path).map_err(failed)
    };
    let view = View {
        roots,
        options,
        driver: place("driver-root", &roots.driver)?,
        dev: place("dev-root", &roots.dev)?,
    };
    let mut notes = Notes::default();
    let mut snapshot = HostSnapshot::default();
    let folders = view.folders(&mut notes);
    let library = files::nvml_library(&view.driver, &folders);
    if options.wants(Want::Platform) || options.wants(Want::Machine) {
        snapshot.platform = platform::observe(&roots.host, &view.driver, &mut notes);
        snapshot.platform.nvml = library.as_deref().map(|library| view.driver.host_path(library));
    }
    if options.wants(Want::Inventory) {
        let library = library.ok_or_else(|| view.no_driver(&mut notes))?;
        view.inventory(&library, &mut snapshot, &mut notes)?;
    } else if options.wants(Want::WholeGpus) {
        snapshot.inventory = procfs::gpus(&roots.host, &mut notes);
    }
    if options.wants(Want::Driver) || options.wants(Want::Graphics) {
        let version = view.version(&folders, snapshot.driver_version.as_deref(), &mut notes)?;
        snapshot.files = files::observe((&roots.host, &view.driver), &folders, &version, options, &mut notes);
        snapshot.driver_version = Some(version.to_string());
    }
    view.nodes(&mut snapshot, &mut notes);
    view.special(&mut snapshot, &mut notes);
    snapshot.left_out = notes.left_out;
    Ok(snapshot)
}

struct View<'a> {
    roots: &'a Roots,
    options: &'a Options,
    driver: Place,
    dev: Place,
}

impl View<'_> {
    fn folders(&self, notes: &mut Notes) -> Vec<Folder> {
        if IN_FOLDERS.iter().any(|part| self.options.wants(*part)) {
            files::scan(&self.driver, &self.options.search.libraries, notes)
        } else {
            Vec::new()
        }
    }

    fn no_driver(&self, notes: &mut Notes) -> HostError {
        HostError::NoDriver { below: self.roots.driver.clone(), left_out: mem::take(&mut notes.left_out) }
    }

    fn inventory(
        &self,
        library: &Path,
        snapshot: &mut HostSnapshot,
        notes: &mut Notes,
    ) -> Result<(), HostError> {
        let answer = nvml::ask(&self.driver.root.on_disk(library), self.options.nvml_deadline)?;
        snapshot.inventory = answer.inventory;
        snapshot.driver_version = answer.driver_version;
        snapshot.cuda_version = answer.cuda_version;
        notes.left_out.extend(answer.left_out);
        Ok(())
    }

    /// The version of the files to describe; NVML's word is binding, the kernel module's a hint.
    fn version(
        &self,
        folders: &[Folder],
        by_nvml: Option<&str>,
        notes: &mut Notes,
    ) -> Result<Version, HostError> {
        let module = if by_nvml.is_none() { sysfs::module_version(&self.roots.host, notes) } else { None };
        match files::choose(folders, by_nvml.or(module.as_deref())) {
            Choice::Version(version) => Ok(version),
            Choice::None => Err(self.no_driver(notes)),
            Choice::Mismatch { running, files } if by_nvml.is_some() => Err(HostError::Mismatch {
                running: running.to_string(),
                files: files.to_string(),
                below: self.roots.driver.clone(),
            }),
            Choice::Mismatch { running, files } => {
                let why =
                    format!("is loaded in version {running}, but the files are {files}; reload it or reboot");
                notes.leave("kernel module nvidia", why);
                Ok(files)
            }
        }
    }

    /// Parts of machines of special kinds.
    fn special(&self, snapshot: &mut HostSnapshot, notes: &mut Notes) {
        if self.options.wants(Want::Tegra) {
            let places = (&self.driver, &self.dev);
            snapshot.tegra = tegra::observe(places, &self.options.search, &mut snapshot.nodes, notes);
        }
        if self.options.wants(Want::Wsl) {
            snapshot.wsl = wsl::observe(&self.driver, notes);
        }
        if self.options.wants(Want::Storage) {
            snapshot.storage = storage::observe(&self.driver);
        }
    }

    fn nodes(&self, snapshot: &mut HostSnapshot, notes: &mut Notes) {
        let null = self.roots.host.metadata(Path::new(NULL));
        snapshot.null = null.is_ok_and(|facts| facts.file_type().is_char_device());
        for want in &self.options.want {
            nodes::of(&self.dev, *want, &mut snapshot.nodes, notes);
        }
        let wants = |parts: &[Want]| parts.iter().any(|part| self.options.wants(*part));
        let of_driver = wants(&[Want::Inventory, Want::WholeGpus, Want::AllNodes]);
        if of_driver || wants(&[Want::Imex]) {
            snapshot.majors = procfs::majors(&self.roots.host, notes);
        }
        if of_driver {
            self.nodes_of_driver(snapshot, notes);
        }
        let majors = &snapshot.majors;
        snapshot.nodes.retain(|path, facts| match numbers::wrong(path, facts, majors) {
            Some(why) => {
                notes.leave(facts.host.display(), why);
                false
            }
            None => true,
        });
    }

    fn nodes_of_driver(&self, snapshot: &mut HostSnapshot, notes: &mut Notes) {
        snapshot.modifies_device_files = procfs::modifies_device_files(&self.roots.host, notes);
        if snapshot.inventory.gpus.iter().any(|gpu| !gpu.mig_devices.is_empty()) {
            nodes::of_capabilities(&self.dev, &mut snapshot.nodes, notes);
        }
        if self.options.wants(Want::AllNodes)
            || !snapshot.inventory.gpus.iter().all(|gpu| gpu.mig_devices.is_empty())
        {
            snapshot.capabilities = procfs::capabilities(&self.roots.host, notes);
        }
        self.gpu_nodes(snapshot, notes);
    }

    /// A GPU without its node, or with one of another number, is faulty; DRM nodes that are not there are none of its own.
    fn gpu_nodes(&self, snapshot: &mut HostSnapshot, notes: &mut Notes) {
        let HostSnapshot { inventory, nodes: seen, majors, .. } = snapshot;
        for gpu in mem::take(&mut inventory.gpus) {
            let path = PathBuf::from(format!("/dev/nvidia{}", gpu.minor));
            let lacks = match seen.get(&path) {
                None => Some(format!("is missing; make it with nvidia-modprobe -c {}", gpu.minor)),
                Some(facts) => numbers::wrong(&path, facts, majors),
            };
            match lacks {
                None => inventory.gpus.push(gpu),
                Some(why) => {
                    seen.remove(&path);
                    let reason = format!("{} {why}", path.display());
                    inventory.faulty.push(Faulty { index: gpu.index, reason });
                }
            }
        }
        inventory.faulty.sort_unstable_by_key(|faulty| faulty.index);
        for gpu in &mut inventory.gpus {
            gpu.drm_nodes = sysfs::drm_nodes(&self.roots.host, &gpu.pci, notes);
            gpu.drm_nodes
                .retain(|name| nodes::one(&self.dev, &Path::new("/dev/dri").join(name), seen, notes));
        }
    }
}
