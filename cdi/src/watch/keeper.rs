//! The file and its node: carries out what [`super::keep`] decided.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

use super::{
    daemon::Node,
    decide::Outcome,
    generator::Generator,
    keep::{Case, judge},
    places::{self, Place},
    presence::driver_is_loaded,
};
use crate::{
    chain::chain,
    check,
    root::Root,
    spec::{Format, MAX_BYTES, Spec},
    store::{self, Lease, StoreError},
};

/// Where libraries are looked for while no spec says where they are, below the driver root.
const LIBRARY_FOLDERS: [&str; 4] =
    ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib"];

/// A file that is kept true.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// Where it lies, as this process sees it.
    pub path: PathBuf,
    /// How it is written.
    pub format: Format,
    /// Its permission bits.
    pub mode: u32,
}

/// The host whose devices the file describes.
#[derive(Debug, Clone)]
pub struct Host {
    /// Where this process sees the host's `/`.
    pub root: Root,
    /// The host's folder below which the driver's files lie.
    pub driver_root: PathBuf,
    /// The host's folder below which `dev` lies.
    pub dev_root: PathBuf,
    /// The host's folders of specs.
    pub spec_folders: Vec<PathBuf>,
}

/// Keeps one file.
pub struct Keeper {
    generator: Generator,
    target: Target,
    host: Host,
    /// For as long as the daemon runs.
    _lease: Lease,
    log: Box<dyn FnMut(&str)>,
    /// What was told of other writers and of what was left out, so that it is not told again and again.
    told: Vec<String>,
    /// What this process wrote last.
    written: Option<Vec<u8>>,
    hold_always: bool,
    /// The host's folders of the driver's libraries, by the file as it is now.
    library_folders: BTreeSet<PathBuf>,
}

impl std::fmt::Debug for Keeper {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Keeper")
            .field("target", &self.target)
            .field("host", &self.host)
            .finish_non_exhaustive()
    }
}

impl Keeper {
    /// Keeps `target` by what `generator` prints; `lease` is the right to write it, `log` takes lines for operators.
    #[must_use]
    pub fn new(
        generator: Generator,
        target: Target,
        host: Host,
        lease: Lease,
        log: Box<dyn FnMut(&str)>,
    ) -> Self {
        let mut keeper = Self {
            generator,
            target,
            host,
            _lease: lease,
            log,
            told: Vec::new(),
            written: None,
            hold_always: false,
            library_folders: BTreeSet::new(),
        };
        keeper.learn_folders();
        keeper
    }

    fn read(&self) -> Result<Option<Vec<u8>>, StoreError> {
        store::read(&self.target.path, u64::try_from(MAX_BYTES).unwrap_or(u64::MAX))
    }

    fn learn_folders(&mut self) {
        let spec = self.read().ok().flatten().and_then(|bytes| Spec::parse(&bytes, self.target.format).ok());
        self.library_folders = spec.as_ref().map(library_folders_of).unwrap_or_default();
        if self.library_folders.is_empty() {
            let driver = &self.host.driver_root;
            let usual = LIBRARY_FOLDERS.iter().map(|folder| driver.join(folder.trim_start_matches('/')));
            self.library_folders = usual.collect();
        }
    }

    /// Whether the driver may be kept open even where nothing else keeps it open.
    pub fn hold_driver_always(&mut self, always: bool) {
        self.hold_always = always;
    }

    /// Tells of other writers and of what was left out, when that is news.
    fn tell(&mut self, left_out: Vec<String>, foreign: Option<String>) {
        let folders: Vec<&Path> = self.host.spec_folders.iter().map(PathBuf::as_path).collect();
        let own = self.target.path.strip_prefix(self.host.root.path()).unwrap_or(&self.target.path);
        let rivals = check::other_producers(&self.host.root, &folders, &Path::new("/").join(own));
        let told: Vec<String> = left_out.into_iter().chain(foreign).chain(rivals).collect();
        told.iter().filter(|line| !self.told.contains(line)).for_each(|line| (self.log)(line));
        self.told = told;
    }

    /// Somebody else wrote the file since this process did.
    fn foreign(&self, now: Option<&[u8]>) -> Option<String> {
        let (ours, now) = (self.written.as_deref()?, now?);
        if ours == now {
            return None;
        }
        let spec = Spec::parse(now, self.target.format).ok();
        let by = spec.as_ref().and_then(check::producer).unwrap_or("another program");
        let path = self.target.path.display();
        Some(format!("warning: {path} was overwritten by {by}; let one program write it"))
    }

    /// Where this process sees a folder of the host, links inside the host followed.
    fn seen(&self, in_root: &Path) -> PathBuf {
        let root = &self.host.root;
        root.on_disk(root.resolve(in_root).as_deref().unwrap_or(in_root))
    }
}

/// The label, where there is one, goes before the file's name: by it logs are told apart.
fn of_file(path: &Path, line: &str) -> String {
    let (label, text) = match line.strip_prefix("warning: ") {
        Some(text) => ("warning: ", text),
        None => ("", line),
    };
    format!("{label}{}: {text}", path.display())
}

impl Node for Keeper {
    fn generate(&mut self) -> (Outcome, String) {
        let made = self.generator.run().map_err(|error| error.to_string());
        let old = match self.read() {
            Ok(old) => old,
            Err(error) => return (Outcome::Failed, format!("warning: {}", chain(&error))),
        };
        let driver = driver_is_loaded(&self.host.root);
        let foreign = self.foreign(old.as_deref());
        let verdict = judge(Case { made, format: self.target.format, old: old.as_deref(), driver });
        if let Some(bytes) = &verdict.write
            && let Err(error) = store::replace(&self.target.path, bytes, self.target.mode)
        {
            return (Outcome::Failed, format!("warning: {}", chain(&error)));
        }
        if verdict.outcome.answers() {
            self.written = verdict.write.or(old);
        }
        self.learn_folders();
        self.tell(verdict.notes, foreign);
        (verdict.outcome, of_file(&self.target.path, &verdict.line))
    }

    fn withdraw(&mut self) -> String {
        let path = self.target.path.display();
        if self.read().is_ok_and(|file| file.is_none()) {
            return format!("{path}: there is no driver, and no file");
        }
        match store::remove(&self.target.path) {
            Ok(()) => format!("{path}: the driver stays away, removed"),
            Err(error) => format!("warning: {}", chain(&error)),
        }
    }

    fn places(&self) -> Vec<Place> {
        let Host { root, driver_root, dev_root, spec_folders } = &self.host;
        let libraries: Vec<PathBuf> = self.library_folders.iter().map(|folder| self.seen(folder)).collect();
        let dev = self.seen(dev_root);
        let mut places = places::wanted(root.path(), &dev, &libraries);
        if driver_root != Path::new("/") {
            places.extend(places::wanted(&self.seen(driver_root), &dev, &[]));
        }
        places.extend(spec_folders.iter().map(|folder| places::specs(&self.seen(folder), &self.target.path)));
        places
    }

    /// Only while the driver's own daemon keeps it open, too: whoever wants to unload the driver must stop that one
    /// first, and its socket goes with it.
    fn may_hold_driver(&self) -> bool {
        if self.hold_always {
            return true;
        }
        let sockets = [Path::new("/"), &self.host.driver_root]
            .map(|below| below.join("run/nvidia-persistenced/socket"));
        sockets.iter().any(|socket| self.host.root.metadata(socket).is_ok())
    }

    fn log(&mut self, line: &str) {
        (self.log)(line);
    }

    /// Each generation is a program of its own that reads its configuration anew.
    fn reload(&mut self) {}
}

/// Host folders of the libraries that the spec mounts: an upgrade shows there.
fn library_folders_of(spec: &Spec) -> BTreeSet<PathBuf> {
    let mounts = spec.all_edits().flat_map(|edits| &edits.mounts).map(|mount| Path::new(&mount.host_path));
    let libraries = mounts.filter(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with("lib") && name.contains(".so.")
    });
    libraries.filter_map(Path::parent).map(Path::to_path_buf).collect()
}
