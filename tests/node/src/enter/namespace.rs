//! A mount namespace in which a node is the machine, kept to run things in.
#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "holds the namespace by its file")]

use std::{
    env,
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    thread,
};

use nix::sched::{CloneFlags, setns, unshare};

use super::{
    observe,
    perform::{self, MountError},
    plan::plan,
};

const OWN: &str = "/proc/thread-self/ns/mnt";

/// A node that could not be entered.
#[derive(Debug, thiserror::Error)]
pub enum EnterError {
    /// No such root.
    #[error("cannot enter {path}; make a node there with `berth-node create`")]
    Root {
        /// The root.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// The kernel refused a namespace.
    #[error("cannot make a mount namespace; run as root with CAP_SYS_ADMIN")]
    Namespace(#[source] io::Error),
    /// A mount was refused.
    #[error(transparent)]
    Mount(#[from] MountError),
    /// The code that ran inside panicked.
    #[error("what ran inside the node panicked")]
    Panicked,
}

/// A mount namespace in which a node is the machine. It lasts as long as this value, and as long as
/// processes that were started inside.
#[derive(Debug)]
pub struct Namespace {
    file: File,
}

impl Namespace {
    /// Makes the node below `root` the machine, in a new namespace.
    ///
    /// # Errors
    /// [`EnterError`].
    pub fn new(root: &Path) -> Result<Self, EnterError> {
        let root = root.to_path_buf();
        let file = on_thread(move || {
            become_machine(&root)?;
            File::open(OWN).map_err(EnterError::Namespace)
        })??;
        Ok(Self { file })
    }

    /// Runs `code` on a thread for which the node is the machine; programs that it starts are inside too.
    ///
    /// # Errors
    /// [`EnterError`]; what `code` answers is passed on.
    pub fn inside<T: Send + 'static>(
        &self,
        code: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, EnterError> {
        let file = self.file.try_clone().map_err(EnterError::Namespace)?;
        on_thread(move || {
            unshare(CloneFlags::CLONE_FS).map_err(|errno| EnterError::Namespace(errno.into()))?;
            setns(file, CloneFlags::CLONE_NEWNS).map_err(|errno| EnterError::Namespace(errno.into()))?;
            Ok(code())
        })?
    }
}

fn on_thread<T: Send + 'static>(code: impl FnOnce() -> T + Send + 'static) -> Result<T, EnterError> {
    thread::spawn(code).join().map_err(|_panic| EnterError::Panicked)
}

/// Makes the node below `root` the machine for the calling thread, and for what it starts.
///
/// The thread leaves the namespace of the others: call it on a thread of its own, or before a program
/// that is all there is replaces this one.
///
/// # Errors
/// [`EnterError`]; the thread is then in a namespace that is half made.
pub fn become_machine(root: &Path) -> Result<(), EnterError> {
    let failed = |source| EnterError::Root { path: root.to_path_buf(), source };
    let whole = fs::canonicalize(root).map_err(failed)?;
    fs::metadata(whole.join(".berth-node")).map_err(failed)?;
    let steps = plan(&whole, &whole.join(".berth-node/enter"), &observe::host(&whole));
    let folder = env::current_dir();
    unshare(CloneFlags::CLONE_NEWNS).map_err(|errno| EnterError::Namespace(errno.into()))?;
    perform::perform(&steps)?;
    // The folder that the thread stood in may have been covered; the one of that name may not exist.
    drop(folder.and_then(env::set_current_dir));
    Ok(())
}
