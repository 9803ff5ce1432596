//! The GPUs of the host, by NVML, loaded from the driver's own library.
//!
//! A symbol that the library lacks is a fact that is not known, a GPU that does not answer is named among the faulty,
//! and a call that hangs ends in an error: NVML runs in a thread of its own, which is left behind then, because a
//! thread inside the driver cannot be stopped. The process should end soon after such an error.

mod raw;
mod read;
mod reason;

use std::{
    io,
    path::{Path, PathBuf},
    sync::mpsc,
    thread,
    time::Duration,
};

use berth_allocator::inventory::Inventory;
use nvml_wrapper::{Nvml, error::NvmlError as Code};

use super::snapshot::LeftOut;

/// What NVML told.
#[derive(Debug, Default)]
pub(super) struct Answer {
    /// Without DRM nodes, which NVML does not know.
    pub(super) inventory: Inventory,
    pub(super) driver_version: Option<String>,
    pub(super) cuda_version: Option<String>,
    pub(super) left_out: Vec<LeftOut>,
}

/// Why NVML told nothing.
#[derive(Debug, thiserror::Error)]
pub enum NvmlError {
    /// The loader refused the library.
    #[error("cannot load {library} ({reason}); install the driver's user-space libraries again")]
    Load {
        /// As this process sees it.
        library: PathBuf,
        /// The loader's own words.
        reason: String,
    },
    /// NVML itself refused.
    #[error("NVML gives no GPUs: {0}")]
    Refused(String),
    /// A call took longer than the caller waits.
    #[error("NVML did not answer within {} s; look for a hung GPU with dmesg, and reset it or reboot", .0.as_secs_f32())]
    Deadline(Duration),
    /// The thread that asks NVML could not be started or died.
    #[error("NVML could not be asked; check the limit of processes and free memory")]
    Thread(#[source] Option<io::Error>),
}

/// Asks the NVML of `library`, a path of this process, for all GPUs.
pub(super) fn ask(library: &Path, deadline: Duration) -> Result<Answer, NvmlError> {
    let (sender, receiver) = mpsc::channel();
    let path = library.to_path_buf();
    let work = move || {
        // Nobody listens any more after the deadline.
        drop(sender.send(ask_here(&path)));
    };
    let started = thread::Builder::new().name("nvml".into()).spawn(work);
    drop(started.map_err(|source| NvmlError::Thread(Some(source)))?);
    receiver.recv_timeout(deadline).unwrap_or_else(|error| {
        Err(match error {
            mpsc::RecvTimeoutError::Timeout => NvmlError::Deadline(deadline),
            mpsc::RecvTimeoutError::Disconnected => NvmlError::Thread(None),
        })
    })
}

fn ask_here(library: &Path) -> Result<Answer, NvmlError> {
    let nvml =
        Nvml::builder().lib_path(library.as_os_str()).init().map_err(|code| refused(library, &code))?;
    let answer = read::all(&nvml).map_err(|code| refused(library, &code));
    raw::shut_down(nvml);
    answer
}

fn refused(library: &Path, code: &Code) -> NvmlError {
    if let Code::LibloadingError(error) = code {
        return NvmlError::Load { library: library.into(), reason: error.to_string() };
    }
    NvmlError::Refused(reason::sentence(code))
}

#[cfg(test)]
mod tests;
