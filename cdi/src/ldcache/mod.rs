//! The loader's cache, `/etc/ld.so.cache`: which file a library's name stands for.
//!
//! Pure: bytes in, entries out. The form is glibc's `glibc-ld.so.cache1.1` in native byte order, alone or after the
//! older `ld.so-1.7.0` form in the same file (elf/dl-cache.c and sysdeps/generic/dl-cache.h of glibc).

mod entry;
mod parse;

pub use entry::{Architecture, Entry};
pub use parse::{CacheError, parse};
