//! Writing the cache: the newer form alone, which every loader since glibc 2.2 reads.
//!
//! Deterministic: the same libraries in the same order give the same bytes. Libraries of `glibc-hwcaps` folders carry
//! the folder's name in the extension that loaders since 2.33 know; older ones pass over them, as they should.

use std::{cmp::Ordering, collections::BTreeSet, os::unix::ffi::OsStrExt as _, path::PathBuf};

use super::{
    order::{compare, is_comparable},
    parse::{ENTRY, HEADER, MAGIC},
};

/// `cache_extension_magic`.
const EXTENSION_MAGIC: u32 = 0xeaa4_2174;
/// `cache_extension_tag_generator` and `cache_extension_tag_glibc_hwcaps`.
const TAG_GENERATOR: u32 = 0;
const TAG_HWCAPS: u32 = 1;
/// `DL_CACHE_HWCAP_EXTENSION`: the low half is a place in the extension's list of folder names.
const HWCAP_EXTENSION: u64 = 1 << 62;
/// `cache_file_new_flags_endian_current`.
const NATIVE_ORDER: u8 = if cfg!(target_endian = "little") { 2 } else { 3 };
/// Who wrote the cache, shown by `ldconfig -p`.
const GENERATOR: &[u8] = b"berth-cdi-hook";
/// Libraries in a cache; distributions have about a thousand.
pub const MOST_LIBRARIES: usize = 100_000;

/// A library to be found by its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Library {
    /// What a program asks for: its `DT_SONAME`, or the name of a link.
    pub name: Vec<u8>,
    /// Absolute path as programs see it.
    pub path: PathBuf,
    /// As in [`super::Entry`].
    pub flags: u32,
    /// Name of the folder below `glibc-hwcaps` that holds it, such as `x86-64-v3`.
    pub hwcaps: Option<String>,
}

/// The file's bytes. Of libraries that are equal for the loader the first one given is the one that it takes;
/// names that it cannot compare, and libraries beyond [`MOST_LIBRARIES`], are left out.
#[must_use]
pub fn write(mut libraries: Vec<Library>) -> Vec<u8> {
    libraries.retain(|library| is_comparable(&library.name));
    libraries.truncate(MOST_LIBRARIES);
    libraries.sort_by(order);
    let folders: BTreeSet<_> = libraries.iter().filter_map(|library| library.hwcaps.clone()).collect();
    let mut strings = Strings { first: HEADER + libraries.len() * ENTRY, bytes: Vec::new() };
    let mut entries = Vec::with_capacity(libraries.len() * ENTRY);
    for library in &libraries {
        let path = strings.place(library.path.as_os_str().as_bytes());
        let name = strings.name_in(path, &library.path, &library.name);
        let hwcap =
            library.hwcaps.as_ref().and_then(|folder| folders.iter().position(|other| other == folder));
        let hwcap = hwcap.map_or(0, |place| HWCAP_EXTENSION | u64::from(narrow(place)));
        entries.extend([library.flags, name, path, 0].into_iter().flat_map(u32::to_ne_bytes));
        entries.extend(hwcap.to_ne_bytes());
    }
    let names: Vec<u32> = folders.iter().map(|folder| strings.place(folder.as_bytes())).collect();
    finish(libraries.len(), &entries, strings, &names)
}

/// Names and flags descending, `glibc-hwcaps` before plain ones, as `compare` of glibc's elf/cache.c has it.
fn order(left: &Library, right: &Library) -> Ordering {
    compare(&right.name, &left.name)
        .then_with(|| right.flags.cmp(&left.flags))
        .then_with(|| left.hwcaps.is_none().cmp(&right.hwcaps.is_none()))
        .then_with(|| left.hwcaps.cmp(&right.hwcaps))
}

/// Header, entries, strings, then the extension at a multiple of 4.
fn finish(count: usize, entries: &[u8], strings: Strings, folders: &[u32]) -> Vec<u8> {
    let length = strings.bytes.len().next_multiple_of(4);
    let extension = HEADER + entries.len() + length;
    let mut file = Vec::with_capacity(extension + 64);
    file.extend(MAGIC);
    file.extend([narrow(count), narrow(length)].into_iter().flat_map(u32::to_ne_bytes));
    file.extend([NATIVE_ORDER, 0, 0, 0]);
    file.extend([narrow(extension), 0, 0, 0].into_iter().flat_map(u32::to_ne_bytes));
    file.extend(entries);
    file.extend(strings.bytes);
    file.resize(extension, 0);
    file.extend(extension_bytes(extension, folders));
    file
}

/// A count, then one section a tag: tag, flags, offset in the file, size.
fn extension_bytes(start: usize, folders: &[u32]) -> Vec<u8> {
    let hwcaps = folders.iter().flat_map(|offset| offset.to_ne_bytes()).collect::<Vec<u8>>();
    let mut sections = vec![(TAG_HWCAPS, hwcaps), (TAG_GENERATOR, GENERATOR.to_vec())];
    sections.retain(|(_, content)| !content.is_empty());
    let mut bytes: Vec<u8> = [EXTENSION_MAGIC, narrow(sections.len())].map(u32::to_ne_bytes).concat();
    let mut offset = start + bytes.len() + sections.len() * 16;
    for (tag, content) in &sections {
        let fields = [*tag, 0, narrow(offset), narrow(content.len())];
        bytes.extend(fields.into_iter().flat_map(u32::to_ne_bytes));
        offset += content.len();
    }
    bytes.extend(sections.into_iter().flat_map(|(_, content)| content));
    bytes
}

struct Strings {
    first: usize,
    bytes: Vec<u8>,
}

impl Strings {
    fn place(&mut self, text: &[u8]) -> u32 {
        let offset = narrow(self.first + self.bytes.len());
        self.bytes.extend(text);
        self.bytes.push(0);
        offset
    }

    /// A name that its path ends with needs no place of its own.
    fn name_in(&mut self, path: u32, whole: &std::path::Path, name: &[u8]) -> u32 {
        let whole = whole.as_os_str().as_bytes();
        match whole.strip_suffix(name) {
            Some(folder) => path.saturating_add(narrow(folder.len())),
            None => self.place(name),
        }
    }
}

/// Counts and offsets: [`MOST_LIBRARIES`] with paths and names of 4096 bytes stay below 4 GiB.
fn narrow(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ldcache::{Entry, parse};

    fn library(name: &str, path: &str, flags: u32, hwcaps: Option<&str>) -> Library {
        Library { name: name.into(), path: path.into(), flags, hwcaps: hwcaps.map(Into::into) }
    }

    fn entry(name: &str, path: &str, flags: u32, hwcap: u64) -> Entry {
        Entry { name: name.into(), path: path.into(), flags, hwcap }
    }

    #[test]
    fn what_is_written_is_read_in_the_loaders_order() {
        let bytes = write(vec![
            library("libcuda.so.1", "/compat/libcuda.so.1", 0x303, None),
            library("libcuda.so.1", "/usr/lib/libcuda.so.550", 0x303, None),
            library("libcuda.so.1", "/usr/lib32/libcuda.so.1", 0x003, None),
            library("libblas.so.3", "/usr/lib/libblas.so.3", 0x303, None),
            library(
                "libblas.so.3",
                "/usr/lib/glibc-hwcaps/x86-64-v3/libblas.so.3.1",
                0x303,
                Some("x86-64-v3"),
            ),
            library(
                "libblas.so.3",
                "/usr/lib/glibc-hwcaps/x86-64-v2/libblas.so.3.1",
                0x303,
                Some("x86-64-v2"),
            ),
            library("libfoo.so.10", "/usr/lib/libfoo.so.10", 0x303, None),
            library("libfoo.so.9", "/usr/lib/libfoo.so.9", 0x303, None),
            library("libdate.so.20261201123456", "/usr/lib/libdate.so", 0x303, None),
        ]);
        assert_eq!(
            parse(&bytes).expect("a cache"),
            [
                entry("libfoo.so.10", "/usr/lib/libfoo.so.10", 0x303, 0),
                entry("libfoo.so.9", "/usr/lib/libfoo.so.9", 0x303, 0),
                entry("libcuda.so.1", "/compat/libcuda.so.1", 0x303, 0),
                entry("libcuda.so.1", "/usr/lib/libcuda.so.550", 0x303, 0),
                entry("libcuda.so.1", "/usr/lib32/libcuda.so.1", 0x003, 0),
                entry(
                    "libblas.so.3",
                    "/usr/lib/glibc-hwcaps/x86-64-v2/libblas.so.3.1",
                    0x303,
                    HWCAP_EXTENSION
                ),
                entry(
                    "libblas.so.3",
                    "/usr/lib/glibc-hwcaps/x86-64-v3/libblas.so.3.1",
                    0x303,
                    HWCAP_EXTENSION | 1
                ),
                entry("libblas.so.3", "/usr/lib/libblas.so.3", 0x303, 0),
            ]
        );
    }

    #[test]
    fn a_cache_of_no_libraries_is_a_cache() {
        assert_eq!(parse(&write(Vec::new())), Ok(Vec::new()));
    }
}
