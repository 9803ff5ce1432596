//! Real libraries of this machine, made ones of both classes, and damaged ones.

#![expect(clippy::disallowed_types, reason = "reads real libraries")]

use std::{fs, os::unix::fs::FileExt as _, path::Path};

use proptest::prelude::*;

use super::*;
use crate::elf::{MACHINE_386, MACHINE_AARCH64, MACHINE_X86_64, made::library};

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
