//! Real libraries of this machine, made ones of both classes, and damaged ones.

#![expect(clippy::disallowed_types, reason = "reads real libraries")]

use std::{fs, os::unix::fs::FileExt as _, path::Path};

use proptest::prelude::*;

use super::*;
use crate::elf::{MACHINE_386, MACHINE_AARCH64, MACHINE_X86_64};

fn look(file: &[u8]) -> Result<Library, ElfError> {
    let mut asked = 0;
    let library = read(|buffer, offset| {
        asked += buffer.len();
        let rest = usize::try_from(offset).ok().and_then(|offset| file.get(offset..)).unwrap_or_default();
        let length = rest.len().min(buffer.len());
        buffer[..length].copy_from_slice(&rest[..length]);
        Ok(length)
    });
    assert!(asked <= MOST_BYTES, "asked for {asked} bytes");
    library
}

/// One load segment over the whole file, the dynamic section behind the headers, then the strings.
fn library(class: Class, machine: u16, soname: &str) -> Vec<u8> {
    let layout = class.layout();
    let (header, word) = if class == Class::Bits64 { (64, 8) } else { (52, 4) };
    let value = |value: usize| value.to_le_bytes()[..word].to_vec();
    let dynamic = header + 2 * layout.entry_size;
    let strings = dynamic + 6 * word;
    let mut file = vec![0; header];
    file[..6].copy_from_slice(&[0x7f, b'E', b'L', b'F', if word == 8 { 2 } else { 1 }, 1]);
    file[TYPE] = 3;
    file[MACHINE..MACHINE + 2].copy_from_slice(&machine.to_le_bytes());
    file[layout.table_offset..layout.table_offset + word].copy_from_slice(&value(header));
    file[layout.table_entry_size] = u8::try_from(layout.entry_size).expect("small");
    file[layout.table_count] = 2;
    let base = 0x1000;
    for (kind, offset, size) in [(1, 0, strings + 64), (2, dynamic, 6 * word)] {
        let mut entry = vec![0; layout.entry_size];
        entry[0] = kind;
        let mut put = |at: usize, number| entry[at..at + word].copy_from_slice(&value(number));
        put(layout.segment_offset, offset);
        put(layout.segment_address, base + offset);
        put(layout.segment_size, size);
        file.extend(entry);
    }
    for (tag, number) in [(5, base + strings), (14, 1), (0, 0)] {
        file.extend([value(tag), value(number)].concat());
    }
    file.extend([b"\0", soname.as_bytes(), b"\0"].concat());
    file
}

#[test]
fn both_classes_give_processor_and_name() {
    for (class, machine) in
        [(Class::Bits64, MACHINE_X86_64), (Class::Bits64, MACHINE_AARCH64), (Class::Bits32, MACHINE_386)]
    {
        let found = look(&library(class, machine, "libcuda.so.1")).expect("a library");
        assert_eq!(found, Library { class, machine, shared: true, soname: Some("libcuda.so.1".into()) });
    }
}

#[test]
fn a_real_library_gives_its_name() {
    let root = crate::root::Root::new("/").expect("a root");
    let bytes = root.read(Path::new("/etc/ld.so.cache"), 64 << 20).expect("glibc's machines have one");
    let entries = crate::ldcache::parse(&bytes).expect("a cache");
    let libc = entries.iter().find(|entry| entry.name == b"libc.so.6").expect("a C library");
    let file = fs::File::open(&libc.path).expect("a file");
    let found = read(|buffer, offset| file.read_at(buffer, offset)).expect("a library");
    assert_eq!(found.soname.as_deref(), Some("libc.so.6"));
    assert!(found.shared, "{found:?}");
}

#[test]
fn names_that_lead_elsewhere_and_files_of_other_kinds_are_refused() {
    for soname in ["../evil.so", "/etc/passwd", "..", ""] {
        let error = look(&library(Class::Bits64, MACHINE_X86_64, soname)).expect_err(soname);
        assert!(matches!(error, ElfError::Damaged), "{soname}: {error}");
    }
    for file in [&b""[..], b"#!/bin/sh", b"\x7fELF\x02\x02 big endian"] {
        let error = look(file).expect_err("no library");
        assert!(matches!(error, ElfError::NotElf), "{error}");
    }
}

proptest! {
    #[test]
    fn any_bytes_are_answered(file: Vec<u8>) {
        drop(look(&file));
    }

    #[test]
    fn a_library_with_wrong_bytes_is_answered(at in 0usize..300, bytes: [u8; 4], cut in 0usize..400) {
        let mut file = library(Class::Bits64, MACHINE_X86_64, "libcuda.so.1");
        file.truncate(cut + 40);
        for (place, byte) in file.iter_mut().skip(at).zip(bytes) {
            *place = byte;
        }
        drop(look(&file));
    }
}
