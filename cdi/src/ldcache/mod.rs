//! The loader's cache, `/etc/ld.so.cache`: which file a library's name stands for.
//!
//! Pure: bytes in, entries out, and libraries in, bytes out. The form is glibc's `glibc-ld.so.cache1.1` in native
//! byte order, alone or after the older `ld.so-1.7.0` form in the same file (elf/dl-cache.c and
//! sysdeps/generic/dl-cache.h of glibc).

mod entry;
mod order;
mod parse;
mod write;

pub use entry::{Architecture, Entry};
pub use order::{compare, is_comparable};
pub use parse::{CacheError, parse};
pub use write::{Library, MOST_LIBRARIES, write};
