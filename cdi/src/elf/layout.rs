//! Where things stand in the two classes of ELF files, little endian: all that NVIDIA's driver runs on.

/// `EM_386`.
pub const MACHINE_386: u16 = 3;
/// `EM_X86_64`.
pub const MACHINE_X86_64: u16 = 62;
/// `EM_AARCH64`.
pub const MACHINE_AARCH64: u16 = 183;

/// Width of addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// `ELFCLASS32`.
    Bits32,
    /// `ELFCLASS64`.
    Bits64,
}

/// Offsets in the file header and in an entry of the program header table; sizes of entries.
#[derive(Debug)]
pub(super) struct Layout {
    pub(super) table_offset: usize,
    pub(super) table_entry_size: usize,
    pub(super) table_count: usize,
    pub(super) entry_size: usize,
    pub(super) segment_offset: usize,
    pub(super) segment_address: usize,
    pub(super) segment_size: usize,
    pub(super) word: usize,
}

const BITS_32: Layout = Layout {
    table_offset: 28,
    table_entry_size: 42,
    table_count: 44,
    entry_size: 32,
    segment_offset: 4,
    segment_address: 8,
    segment_size: 16,
    word: 4,
};

const BITS_64: Layout = Layout {
    table_offset: 32,
    table_entry_size: 54,
    table_count: 56,
    entry_size: 56,
    segment_offset: 8,
    segment_address: 16,
    segment_size: 32,
    word: 8,
};

impl Class {
    pub(super) fn layout(self) -> &'static Layout {
        match self {
            Self::Bits32 => &BITS_32,
            Self::Bits64 => &BITS_64,
        }
    }
}

impl Layout {
    /// A number as wide as an address.
    pub(super) fn word(&self, bytes: &[u8], at: usize) -> Option<u64> {
        let field = bytes.get(at..at.checked_add(self.word)?)?;
        Some(field.iter().rev().fold(0, |value, byte| value << 8 | u64::from(*byte)))
    }
}

pub(super) fn half(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(bytes.get(at..at.checked_add(2)?)?.try_into().ok()?))
}

pub(super) fn number(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at.checked_add(4)?)?.try_into().ok()?))
}
