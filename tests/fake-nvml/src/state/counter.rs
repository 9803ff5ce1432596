//! The number of the state that is in force, read without a system call.
#![expect(unsafe_code, reason = "a mapping is made and read")]
#![expect(clippy::disallowed_types, reason = "the counter is a file")]

use std::{
    fs::File,
    io,
    num::NonZeroUsize,
    path::Path,
    ptr::NonNull,
    sync::atomic::{AtomicU64, Ordering},
};

use nix::sys::mman::{MapFlags, ProtFlags, mmap, munmap};

use super::store::GENERATION;

/// One page would be mapped for any length.
const LENGTH: NonZeroUsize = NonZeroUsize::new(size_of::<u64>()).expect("eight is not zero");

/// A view of the counter of a directory; holds good as long as the directory does.
#[derive(Debug)]
pub struct Counter {
    mapped: NonNull<AtomicU64>,
}

// SAFETY: the mapping is read-only here and is only ever read as an atomic.
unsafe impl Send for Counter {}
// SAFETY: as above.
unsafe impl Sync for Counter {}

impl Counter {
    /// Maps the counter of `directory`.
    ///
    /// # Errors
    /// When there is none, or it is too short to be one.
    pub fn open(directory: &Path) -> io::Result<Self> {
        let file = File::open(directory.join(GENERATION))?;
        if file.metadata()?.len() < size_of::<u64>() as u64 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        // SAFETY: a new mapping at a place of the kernel's choice; the file holds all of its bytes, checked above.
        let mapped = unsafe { mmap(None, LENGTH, ProtFlags::PROT_READ, MapFlags::MAP_SHARED, &file, 0) }?;
        Ok(Self { mapped: mapped.cast() })
    }

    /// The count now.
    #[must_use]
    pub fn now(&self) -> u64 {
        // SAFETY: the mapping lives as long as self, is page-aligned and eight bytes long.
        let counter = unsafe { self.mapped.as_ref() };
        u64::from_le(counter.load(Ordering::Acquire))
    }
}

impl Drop for Counter {
    fn drop(&mut self) {
        // SAFETY: the mapping was made in `open` and nobody else holds it.
        let _gone = unsafe { munmap(self.mapped.cast(), LENGTH.get()) };
    }
}
