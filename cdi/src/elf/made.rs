//! Makes small libraries for tests.

use super::Class;

/// One load segment over the whole file, the dynamic section behind the headers, then the strings.
pub(crate) fn library(class: Class, machine: u16, soname: &str) -> Vec<u8> {
    let layout = class.layout();
    let (header, word) = if class == Class::Bits64 { (64, 8) } else { (52, 4) };
    let value = |value: usize| value.to_le_bytes()[..word].to_vec();
    let dynamic = header + 2 * layout.entry_size;
    let strings = dynamic + 6 * word;
    let mut file = vec![0; header];
    file[..6].copy_from_slice(&[0x7f, b'E', b'L', b'F', if word == 8 { 2 } else { 1 }, 1]);
    file[16] = 3;
    file[18..20].copy_from_slice(&machine.to_le_bytes());
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
