//! The smallest shared object that the dynamic loader, ldconfig and readelf accept: a SONAME, no code.
//!
//! Layout after the ELF specification (System V ABI, chapters 4 and 5): file header, two program
//! headers, dynamic section, symbol table with the null symbol, hash table, strings, section headers.

/// Whom the object is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Machine {
    /// 64 bit, EM_X86_64.
    X86_64,
    /// 32 bit, EM_386.
    I386,
}

const PT_LOAD: u64 = 1;
const PT_DYNAMIC: u64 = 2;
const DT_HASH: u64 = 4;
const DT_STRTAB: u64 = 5;
const DT_SYMTAB: u64 = 6;
const DT_STRSZ: u64 = 10;
const DT_SYMENT: u64 = 11;
const DT_SONAME: u64 = 14;
const SECTION_NAMES: &[u8] = b"\0.dynamic\0.dynstr\0.dynsym\0.hash\0.shstrtab\0";
const HASH: [u32; 5] = [1, 1, 0, 0, 0];

/// Sizes and places of the parts, in bytes from the beginning of the file.
struct Plan {
    wide: bool,
    dynamic: u64,
    symbols: u64,
    hash: u64,
    strings: u64,
    string_size: u64,
    names: u64,
    sections: u64,
}

impl Plan {
    fn new(wide: bool, string_size: u64) -> Self {
        let (header, program, entry, symbol) = if wide { (64, 56, 16, 24) } else { (52, 32, 8, 16) };
        let dynamic = align(header + 2 * program);
        let symbols = align(dynamic + 7 * entry);
        let hash = align(symbols + symbol);
        let strings = hash + 4 * HASH.len() as u64;
        let names = strings + string_size;
        let sections = align(names + SECTION_NAMES.len() as u64);
        Self { wide, dynamic, symbols, hash, strings, string_size, names, sections }
    }

    fn entry(&self) -> u64 {
        if self.wide { 16 } else { 8 }
    }

    fn symbol(&self) -> u64 {
        if self.wide { 24 } else { 16 }
    }
}

fn align(offset: u64) -> u64 {
    offset.next_multiple_of(16)
}

/// Bytes being written, with words of the class's width.
struct Out {
    bytes: Vec<u8>,
    wide: bool,
}

impl Out {
    fn half(&mut self, value: u16) {
        self.bytes.extend(value.to_le_bytes());
    }

    fn int(&mut self, value: u64) {
        self.bytes.extend(value.to_le_bytes().iter().take(4));
    }

    fn word(&mut self, value: u64) {
        self.bytes.extend(value.to_le_bytes().iter().take(if self.wide { 8 } else { 4 }));
    }

    fn pad_to(&mut self, offset: u64) {
        let offset = usize::try_from(offset).unwrap_or(usize::MAX);
        self.bytes.resize(self.bytes.len().max(offset), 0);
    }
}

/// A shared object without code, that names itself `soname` if that is given.
#[must_use]
pub fn shared_object(machine: Machine, soname: Option<&str>) -> Vec<u8> {
    let strings = [b"\0", soname.unwrap_or_default().as_bytes(), b"\0"].concat();
    let wide = machine == Machine::X86_64;
    let plan = Plan::new(wide, strings.len() as u64);
    let mut out = Out { bytes: Vec::new(), wide };
    file_header(&mut out, &plan, machine);
    program_headers(&mut out, &plan);
    out.pad_to(plan.dynamic);
    dynamic(&mut out, &plan, soname.is_some());
    out.pad_to(plan.hash);
    HASH.iter().for_each(|word| out.bytes.extend(word.to_le_bytes()));
    out.bytes.extend(strings);
    out.bytes.extend(SECTION_NAMES);
    out.pad_to(plan.sections);
    section_headers(&mut out, &plan);
    out.bytes
}

fn file_header(out: &mut Out, plan: &Plan, machine: Machine) {
    let (class, number, header, program, section) = match machine {
        Machine::X86_64 => (2, 62, 64, 56, 64),
        Machine::I386 => (1, 3, 52, 32, 40),
    };
    out.bytes.extend([0x7f, b'E', b'L', b'F', class, 1, 1, 0]);
    out.pad_to(16);
    out.half(3); // ET_DYN
    out.half(number);
    out.int(1); // EV_CURRENT
    out.word(0); // no entry point
    out.word(header);
    out.word(plan.sections);
    out.int(0);
    for value in [u16::try_from(header).unwrap_or_default(), program, 2, section, 6, 5] {
        out.half(value);
    }
}

fn program_headers(out: &mut Out, plan: &Plan) {
    segment(out, (PT_LOAD, 4), (0, plan.sections), 4096);
    segment(out, (PT_DYNAMIC, 4), (plan.dynamic, 7 * plan.entry()), 8);
}

fn segment(out: &mut Out, (kind, flags): (u64, u64), (offset, size): (u64, u64), alignment: u64) {
    out.int(kind);
    if out.wide {
        out.int(flags);
    }
    for value in [offset, offset, offset, size, size] {
        out.word(value);
    }
    if !out.wide {
        out.int(flags);
    }
    out.word(alignment);
}

fn dynamic(out: &mut Out, plan: &Plan, named: bool) {
    let name = if named { (DT_SONAME, 1) } else { (DT_STRSZ, plan.string_size) };
    let entries = [
        name,
        (DT_HASH, plan.hash),
        (DT_STRTAB, plan.strings),
        (DT_SYMTAB, plan.symbols),
        (DT_STRSZ, plan.string_size),
        (DT_SYMENT, plan.symbol()),
        (0, 0),
    ];
    for (tag, value) in entries {
        out.word(tag);
        out.word(value);
    }
}

/// One section header: index of its name, type, flags, place, size, linked section, entry size.
struct Section(u64, u64, u64, u64, u64, u64, u64);

fn section_headers(out: &mut Out, plan: &Plan) {
    let names = SECTION_NAMES.len() as u64;
    let rows = [
        Section(0, 0, 0, 0, 0, 0, 0),
        Section(1, 6, 2, plan.dynamic, 7 * plan.entry(), 2, plan.entry()),
        Section(10, 3, 2, plan.strings, plan.string_size, 0, 0),
        Section(18, 11, 2, plan.symbols, plan.symbol(), 2, plan.symbol()),
        Section(26, 5, 2, plan.hash, 4 * HASH.len() as u64, 3, 4),
        Section(32, 3, 0, plan.names, names, 0, 0),
    ];
    for Section(name, kind, flags, offset, size, link, entry) in rows {
        out.int(name);
        out.int(kind);
        out.word(flags);
        out.word(if flags == 0 { 0 } else { offset });
        out.word(offset);
        out.word(size);
        out.int(link);
        out.int(u64::from(kind == 11)); // first global symbol
        out.word(1);
        out.word(entry);
    }
}

#[cfg(test)]
#[expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "asks the real loader about a real file"
)]
mod tests {
    use std::{io, process::Command};

    use berth_cdi::elf::{self, Class};

    use super::*;

    fn read(bytes: &[u8]) -> elf::Library {
        let library = elf::read(|buffer, offset| {
            let rest =
                usize::try_from(offset).ok().and_then(|offset| bytes.get(offset..)).unwrap_or_default();
            io::Read::read(&mut &*rest, buffer)
        });
        library.expect("a library")
    }

    #[test]
    fn the_soname_is_found_in_both_classes() {
        for (machine, class) in [(Machine::X86_64, Class::Bits64), (Machine::I386, Class::Bits32)] {
            let library = read(&shared_object(machine, Some("libcuda.so.1")));
            assert_eq!((library.class, library.shared), (class, true));
            assert_eq!(library.soname.as_deref(), Some("libcuda.so.1"));
            assert_eq!(read(&shared_object(machine, None)).soname, None);
        }
    }

    #[test]
    fn the_machines_loader_would_load_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("libx.so");
        std::fs::write(&path, shared_object(Machine::X86_64, Some("libx.so"))).expect("a file");
        // An object without dependencies and interpreter is reported as valid by exit status 2.
        let told = Command::new("/lib64/ld-linux-x86-64.so.2").arg("--verify").arg(&path).output();
        assert_eq!(told.expect("the loader").status.code(), Some(2));
        std::fs::write(&path, "no library").expect("a file");
        let told = Command::new("/lib64/ld-linux-x86-64.so.2").arg("--verify").arg(&path).output();
        assert_eq!(told.expect("the loader").status.code(), Some(1));
    }
}
