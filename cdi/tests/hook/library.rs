//! Shared libraries of a few hundred bytes, whole enough for `ldconfig` and for the hook.

/// `e_machine` and whether 64 bits.
#[derive(Clone, Copy)]
pub(crate) struct Kind(pub(crate) u16, pub(crate) bool);

pub(crate) const X86_64: Kind = Kind(62, true);
pub(crate) const I386: Kind = Kind(3, false);
pub(crate) const ARM64: Kind = Kind(183, true);

const LIBC: &[u8] = b"libc.so.6\0";

/// A library with this name, or without any when it is empty.
pub(crate) fn library(kind: Kind, soname: &str) -> Vec<u8> {
    let Kind(machine, wide) = kind;
    let word = if wide { 8 } else { 4 };
    let (header, entry) = if wide { (64, 56) } else { (52, 32) };
    let value = |value: usize| value.to_le_bytes().into_iter().take(word).collect::<Vec<u8>>();
    let dynamic = header + 2 * entry;
    // The C library by which `ldconfig` tells what a 32-bit library is for, then the library's own name.
    let mut tags = vec![(1, 1), (5, 0), (14, 1 + LIBC.len()), (0, 0)];
    tags.retain(|(tag, _)| *tag != 14 || !soname.is_empty());
    let size = tags.len() * 2 * word;
    let strings = dynamic + size;
    let mut file = b"\x7fELF".to_vec();
    file.extend([if wide { 2 } else { 1 }, 1, 1]);
    file.resize(16, 0);
    file.extend([3, 0]);
    file.extend(machine.to_le_bytes());
    file.extend([1, 0, 0, 0]);
    file.extend([value(0), value(header), value(0), vec![0; 4]].concat());
    let half = |value: usize| u16::try_from(value).expect("small").to_le_bytes();
    file.extend([half(header), half(entry), half(2), half(0), half(0), half(0)].concat());
    for (segment, offset, size) in [(1_u32, 0, strings + 64), (2, dynamic, size)] {
        let kind = segment.to_le_bytes().to_vec();
        let flags = 4_u32.to_le_bytes().to_vec();
        let place = [value(offset), value(offset), value(offset), value(size), value(size)].concat();
        file.extend(if wide {
            [kind, flags, place, value(8)].concat()
        } else {
            [kind, place, flags, value(8)].concat()
        });
    }
    for (tag, number) in tags {
        let number = if tag == 5 { strings } else { number };
        file.extend([value(tag), value(number)].concat());
    }
    file.extend([b"\0", LIBC, soname.as_bytes(), b"\0"].concat());
    file.resize(strings + 64, 0);
    file
}
