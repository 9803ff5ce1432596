//! Reading the cache: bounded by its length, whatever the bytes are.

use std::{
    ffi::OsStr,
    ops::Range,
    os::unix::ffi::OsStrExt as _,
    path::{Path, PathBuf},
};

use super::Entry;

const OLD_MAGIC: &[u8] = b"ld.so-1.7.0";
pub(super) const MAGIC: &[u8] = b"glibc-ld.so.cache1.1";
/// Count of the older form's entries stands at 12, they begin at 16, each has 12 bytes.
const OLD_COUNT: usize = 12;
const OLD_HEADER: usize = 16;
const OLD_ENTRY: usize = 12;
/// Count of entries stands at 20, the byte order at 28; entries begin at 48, each has 24 bytes.
const COUNT: usize = 20;
const ORDER: usize = 28;
pub(super) const HEADER: usize = 48;
pub(super) const ENTRY: usize = 24;
/// The new form begins at a multiple of this after the older one.
const ALIGNMENT: usize = 8;
/// Two low bits of the flags: 0 not told, 2 little, 3 big endian.
const ORDER_MASK: u8 = 0b11;
/// Longest path that the kernel takes (`PATH_MAX`).
const LONGEST: usize = 4096;

/// Why a file is no cache.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CacheError {
    /// Neither magic stands where it should.
    #[error("not a cache of glibc's loader; run ldconfig to write a new one")]
    Magic,
    /// Written on a machine of the other byte order.
    #[error("the loader's cache has the byte order of another machine; run ldconfig to write a new one")]
    ByteOrder,
    /// Fewer bytes than its own count asks for.
    #[error("the loader's cache ends early; run ldconfig to write a new one")]
    Short,
    /// An entry points at no string of the file.
    #[error("entry {0} of the loader's cache names no string; run ldconfig to write a new one")]
    String(usize),
}

/// The entries of a cache, in the file's order.
///
/// # Errors
/// [`CacheError`] when the bytes are no whole cache in this machine's byte order.
pub fn parse(bytes: &[u8]) -> Result<Vec<Entry>, CacheError> {
    let cache = new_form(bytes)?;
    if !is_native(*cache.get(ORDER).ok_or(CacheError::Short)?) {
        return Err(CacheError::ByteOrder);
    }
    let count = number(cache, COUNT).ok_or(CacheError::Short)?;
    let table = slice(cache, HEADER, count.checked_mul(ENTRY).ok_or(CacheError::Short)?)?;
    table
        .chunks_exact(ENTRY)
        .enumerate()
        .map(|(number, fields)| entry(cache, fields).ok_or(CacheError::String(number)))
        .collect()
}

fn new_form(bytes: &[u8]) -> Result<&[u8], CacheError> {
    if bytes.starts_with(MAGIC) {
        return Ok(bytes);
    }
    if !bytes.starts_with(OLD_MAGIC) {
        return Err(CacheError::Magic);
    }
    let entries = number(bytes, OLD_COUNT).ok_or(CacheError::Short)?.checked_mul(OLD_ENTRY);
    let end = entries.and_then(|length| length.checked_add(OLD_HEADER)).ok_or(CacheError::Short)?;
    let start = end.checked_next_multiple_of(ALIGNMENT).ok_or(CacheError::Short)?;
    let new = bytes.get(start..).ok_or(CacheError::Short)?;
    new.starts_with(MAGIC).then_some(new).ok_or(CacheError::Magic)
}

fn is_native(flags: u8) -> bool {
    match flags & ORDER_MASK {
        0 => true,
        2 => cfg!(target_endian = "little"),
        3 => cfg!(target_endian = "big"),
        _ => false,
    }
}

/// Fields: flags, offset of the name, offset of the path, an unused one, hardware; offsets from the form's begin.
fn entry(cache: &[u8], fields: &[u8]) -> Option<Entry> {
    let hwcap = fields.get(16..24)?.try_into().ok()?;
    Some(Entry {
        flags: u32::from_ne_bytes(fields.get(0..4)?.try_into().ok()?),
        name: string(cache, number(fields, 4)?)?.to_vec(),
        path: PathBuf::from(Path::new(OsStr::from_bytes(string(cache, number(fields, 8)?)?))),
        hwcap: u64::from_ne_bytes(hwcap),
    })
}

fn string(cache: &[u8], start: usize) -> Option<&[u8]> {
    let rest = cache.get(start..)?;
    let window = rest.get(..LONGEST).unwrap_or(rest);
    window.iter().position(|byte| *byte == 0).and_then(|length| window.get(..length))
}

fn slice(bytes: &[u8], start: usize, length: usize) -> Result<&[u8], CacheError> {
    let end = start.checked_add(length).ok_or(CacheError::Short)?;
    bytes.get(Range { start, end }).ok_or(CacheError::Short)
}

fn number(bytes: &[u8], at: usize) -> Option<usize> {
    let field = bytes.get(at..at.checked_add(4)?)?.try_into().ok()?;
    usize::try_from(u32::from_ne_bytes(field)).ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::ldcache::Architecture;

    /// Name, path, flags.
    const LIBRARIES: [(&str, &str, u32); 3] = [
        ("libcuda.so.1", "/usr/lib/x86_64-linux-gnu/libcuda.so.1", 0x303),
        ("libcuda.so.1", "/usr/lib/i386-linux-gnu/libcuda.so.1", 0x003),
        ("libc.so.6", "/lib/aarch64-linux-gnu/libc.so.6", 0xa03),
    ];

    fn cache(libraries: &[(&str, &str, u32)]) -> Vec<u8> {
        let mut strings = Vec::new();
        let mut entries = Vec::new();
        let first = HEADER + libraries.len() * ENTRY;
        for (name, path, flags) in libraries {
            let mut place = |text: &str| {
                let offset = u32::try_from(first + strings.len()).expect("small").to_ne_bytes();
                strings.extend([text.as_bytes(), b"\0"].concat());
                offset
            };
            let (name, path) = (place(name), place(path));
            entries.extend([flags.to_ne_bytes(), name, path, [0; 4], [0; 4], [0; 4]].concat());
        }
        let count = u32::try_from(libraries.len()).expect("small").to_ne_bytes();
        let length = u32::try_from(strings.len()).expect("small").to_ne_bytes();
        [MAGIC, &count, &length, &[0; 20], &entries, &strings].concat()
    }

    fn behind_old_form(new: &[u8]) -> Vec<u8> {
        let old = [OLD_MAGIC, &[0], &1u32.to_ne_bytes(), &[0; OLD_ENTRY], &[0; 4]].concat();
        [&old, new].concat()
    }

    #[test]
    fn both_forms_of_the_file_give_the_same_entries() {
        let new = cache(&LIBRARIES);
        for bytes in [behind_old_form(&new), new] {
            let entries = parse(&bytes).expect("a cache");
            let shown: Vec<_> = entries
                .iter()
                .map(|entry| {
                    (
                        str::from_utf8(&entry.name).expect("ASCII"),
                        entry.path.to_str().expect("ASCII"),
                        entry.flags,
                    )
                })
                .collect();
            assert_eq!(shown, LIBRARIES);
        }
    }

    #[test]
    fn libraries_of_another_processor_are_told_apart() {
        let entries = parse(&cache(&LIBRARIES)).expect("a cache");
        for (architecture, wanted) in
            [(Architecture::X86_64, 0), (Architecture::X86, 1), (Architecture::Aarch64, 2)]
        {
            let places: Vec<_> = (0..3).filter(|at| entries[*at].is_for(architecture)).collect();
            assert_eq!(places, [wanted], "{architecture:?}");
        }
    }

    #[test]
    fn what_is_no_whole_cache_is_refused() {
        let whole = cache(&LIBRARIES);
        assert_eq!(parse(b""), Err(CacheError::Magic));
        assert_eq!(parse(b"#!/bin/sh\n"), Err(CacheError::Magic));
        assert_eq!(parse(&whole[..60]), Err(CacheError::Short));
        assert_eq!(parse(&whole[..HEADER + 3 * ENTRY]), Err(CacheError::String(0)));
        let mut foreign = whole.clone();
        foreign[ORDER] = if cfg!(target_endian = "little") { 3 } else { 2 };
        assert_eq!(parse(&foreign), Err(CacheError::ByteOrder));
    }

    #[test]
    fn the_cache_of_this_machine_is_read() {
        let root = crate::root::Root::new("/").expect("a root");
        let bytes = root.read(Path::new("/etc/ld.so.cache"), 64 << 20).expect("glibc's machines have one");
        let entries = parse(&bytes).expect("a cache");
        assert!(entries.iter().any(|entry| entry.name.starts_with(b"libc.so")), "{} entries", entries.len());
    }

    proptest! {
        #[test]
        fn any_bytes_are_answered(bytes: Vec<u8>) {
            drop(parse(&bytes));
            drop(parse(&[MAGIC, &bytes].concat()));
            drop(parse(&[OLD_MAGIC, &bytes].concat()));
        }

        #[test]
        fn a_cache_with_wrong_bytes_is_answered(at in 0usize..300, byte: u8, cut in 0usize..300) {
            let mut bytes = behind_old_form(&cache(&LIBRARIES));
            bytes.truncate(bytes.len().min(cut + 100));
            if let Some(place) = bytes.get_mut(at) {
                *place = byte;
            }
            drop(parse(&bytes));
        }
    }
}
