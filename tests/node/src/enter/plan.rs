//! Which mounts turn a root into the machine, in order.

use std::path::{Path, PathBuf};

/// What there is to mount, and to mount upon.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Host {
    /// Top folders of the root (`usr`, `opt`), links not counted.
    pub folders: Vec<String>,
    /// Folders of the root below /sys that lie over the kernel's, if the kernel has them: `/sys/class`.
    pub sys: Vec<PathBuf>,
    /// True if /var is laid over, which a root that lies below it cannot be: what runtimes keep there stays private.
    pub var: bool,
    /// Entries of the root's /tmp; if there is none, the machine's /tmp stays as it is.
    pub tmp: Vec<Temporary>,
    /// Entries of the machine's own /tmp.
    pub machine_tmp: Vec<Temporary>,
    /// True if the root has a state of the simulated NVML, which looks for it in /run when it lies in /.
    pub nvml: bool,
    /// Which of /dev/pts, /dev/shm and /dev/mqueue the machine has.
    pub dev: Vec<PathBuf>,
}

/// One entry of a /tmp.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Temporary {
    /// Its name.
    pub name: std::ffi::OsString,
    /// True for a folder, false for a file or socket.
    pub folder: bool,
}

/// One step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// No mount made from here on is seen outside, nor the other way round.
    Private,
    /// A folder, if it is not there yet.
    Folder(PathBuf),
    /// An empty file, if it is not there yet.
    File(PathBuf),
    /// A file system in memory.
    Memory(PathBuf),
    /// `from` and all that is mounted in it, seen at `to` as well.
    Bind {
        /// What is seen.
        from: PathBuf,
        /// Where.
        to: PathBuf,
    },
    /// The same for what others may remove at any time: then nothing is seen.
    BindIfThere {
        /// What is seen.
        from: PathBuf,
        /// Where; made for it.
        to: PathBuf,
        /// True for a folder, false for a file or socket.
        folder: bool,
    },
    /// `upper` over the folder `at`, at `at`; writes go to `writes`, or are refused without.
    Over {
        /// What lies on top.
        upper: PathBuf,
        /// What is laid over.
        at: PathBuf,
        /// The folder that collects writes.
        writes: Option<PathBuf>,
    },
}

/// Folders that are mounted in a way of their own.
const SPECIAL: [&str; 6] = ["dev", "proc", "sys", "run", "tmp", "var"];

/// The steps that make `root` the machine. `scratch` is a folder of the root for what is mounted through.
#[must_use]
pub fn plan(root: &Path, scratch: &Path, host: &Host) -> Vec<Step> {
    let mut steps = vec![Step::Private];
    let ordinary = host.folders.iter().filter(|name| !SPECIAL.contains(&name.as_str()));
    let mut over: Vec<PathBuf> = ordinary.map(|name| Path::new("/").join(name)).collect();
    over.extend(host.var.then(|| "/var".into()));
    over.extend(host.sys.iter().cloned());
    steps.extend(over.into_iter().map(|at| lay_over(root, scratch, at)));
    if host.folders.iter().any(|name| name == "etc") {
        // Shared with whoever else is inside, and with who looks at the root from outside.
        steps.push(Step::Bind { from: root.join("etc/cdi"), to: "/etc/cdi".into() });
    }
    steps.extend(dev(root, host));
    for path in ["/proc/driver", "/proc/devices", "/sys/bus/pci"] {
        steps.push(Step::Bind { from: below(root, Path::new(path)), to: path.into() });
    }
    if host.nvml {
        let state = below(root, Path::new("/run/berth-node/nvml"));
        steps.push(Step::Folder(state.clone()));
        steps.push(Step::Bind { from: root.join(".berth-node/nvml"), to: state });
    }
    steps.push(Step::Bind { from: root.join("run"), to: "/run".into() });
    if !host.tmp.is_empty() {
        steps.extend(tmp(root, scratch, host));
    }
    steps
}

fn below(root: &Path, path: &Path) -> PathBuf {
    root.join(path.strip_prefix("/").unwrap_or(path))
}

fn lay_over(root: &Path, scratch: &Path, at: PathBuf) -> Step {
    let collects = ["/etc", "/var"].iter().any(|path| at == Path::new(path));
    let writes = collects.then(|| below(scratch, &at));
    Step::Over { upper: below(root, &at), at, writes }
}

/// The machine's terminals, shared memory and queues, in the root's /dev, and that over the machine's.
fn dev(root: &Path, host: &Host) -> Vec<Step> {
    let inner = host.dev.iter().map(|path| Step::Bind { from: path.clone(), to: below(root, path) });
    inner.chain([Step::Bind { from: root.join("dev"), to: "/dev".into() }]).collect()
}

/// A /tmp that has what the machine's had, and what the root's has: an overlay cannot do that, since the
/// root may lie in /tmp itself.
fn tmp(root: &Path, scratch: &Path, host: &Host) -> Vec<Step> {
    let made = scratch.join("tmp");
    let mut steps = vec![Step::Folder(made.clone()), Step::Memory(made.clone())];
    let covered = |entry: &&Temporary| host.tmp.iter().any(|own| own.name == entry.name);
    steps.extend(host.machine_tmp.iter().filter(|entry| !covered(entry)).map(|entry| Step::BindIfThere {
        from: Path::new("/tmp").join(&entry.name),
        to: made.join(&entry.name),
        folder: entry.folder,
    }));
    for entry in &host.tmp {
        let (from, to) = (root.join("tmp").join(&entry.name), made.join(&entry.name));
        steps.push(if entry.folder { Step::Folder(to.clone()) } else { Step::File(to.clone()) });
        steps.push(Step::Bind { from, to });
    }
    steps.push(Step::Bind { from: made, to: "/tmp".into() });
    steps
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bind(from: &str, to: &str) -> Step {
        Step::Bind { from: from.into(), to: to.into() }
    }

    #[test]
    fn the_first_step_makes_all_others_private() {
        assert_eq!(plan(Path::new("/r"), Path::new("/r/s"), &Host::default()).first(), Some(&Step::Private));
    }

    #[test]
    fn usr_is_read_only_and_etc_collects_its_writes() {
        let host = Host { folders: vec!["etc".into(), "dev".into(), "usr".into()], ..Host::default() };
        let steps = plan(Path::new("/r"), Path::new("/r/s"), &host);
        let over = |name: &str, writes| Step::Over {
            upper: format!("/r/{name}").into(),
            at: format!("/{name}").into(),
            writes,
        };
        let laid: Vec<&Step> = steps.iter().filter(|step| matches!(step, Step::Over { .. })).collect();
        assert_eq!(laid, [&over("etc", Some("/r/s/etc".into())), &over("usr", None)]);
    }

    #[test]
    fn the_machines_tmp_is_kept_beside_the_roots_and_the_roots_wins() {
        let entry = |name: &str, folder| Temporary { name: name.into(), folder };
        let machine_tmp = vec![entry("file", false), entry("nvidia-mps", true)];
        let host = Host { tmp: vec![entry("nvidia-mps", true)], machine_tmp, ..Host::default() };
        let steps = plan(Path::new("/r"), Path::new("/r/s"), &host);
        let kept = Step::BindIfThere { from: "/tmp/file".into(), to: "/r/s/tmp/file".into(), folder: false };
        assert!(steps.contains(&kept), "{steps:?}");
        assert!(steps.contains(&bind("/r/tmp/nvidia-mps", "/r/s/tmp/nvidia-mps")), "{steps:?}");
        let of_machine = |step: &&Step| matches!(step, Step::BindIfThere { .. });
        assert_eq!(steps.iter().filter(of_machine).count(), 1, "{steps:?}");
        assert_eq!(steps.last(), Some(&bind("/r/s/tmp", "/tmp")));
    }
}
