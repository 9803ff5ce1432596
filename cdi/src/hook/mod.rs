//! What happens inside a container's root at creation: links, the loader's cache, CUDA forward compatibility, the
//! driver's settings.
//!
//! The hook has every privilege, while the image's author chose what is in the root. So:
//! - every path is resolved by the kernel below the root's descriptor ([`container`]); no host path comes from the image;
//! - nothing of the image is executed, loaded, or mounted anywhere but in the container;
//! - reads are bounded in length and number, the process in time ([`limit_time`]);
//! - no environment variable counts, but for the one that makes the log longer;
//! - a repeat changes nothing, and no file has a name that grows in number;
//! - a failure stops the container only where its programs could not work without it ([`severity`]).

pub mod cache;
pub mod command;
pub mod compat;
pub mod container;
pub mod log;
pub mod params;
pub mod profile;
pub mod run;
pub mod severity;
pub mod state;
mod sys;

use std::io;

/// Seconds that a hook may take; it needs a few milliseconds.
pub const MOST_SECONDS: u32 = 30;

/// Ends the process with an error when it takes longer than [`MOST_SECONDS`], whatever it waits for.
///
/// # Errors
/// The system's reason when the limit cannot be set.
pub fn limit_time() -> io::Result<()> {
    sys::end_after(MOST_SECONDS)
}
