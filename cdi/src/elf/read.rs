//! The way from the file header over the program headers and the dynamic section to the name.

use std::io;

use super::{
    Library,
    layout::{Class, Layout, half, number},
};

/// First read: header and program headers of all libraries seen so far.
const HEAD: usize = 1024;
/// Program headers looked at; libraries have about ten.
const MOST_HEADERS: usize = 128;
/// Of the dynamic section; libraries have about 500 bytes.
const MOST_DYNAMIC: usize = 16 << 10;
/// Of a name, its zero byte included (`NAME_MAX`).
const MOST_NAME: usize = 256;
/// Most bytes that [`read`] asks for.
pub const MOST_BYTES: usize = HEAD + MOST_HEADERS * 56 + MOST_DYNAMIC + MOST_NAME;

const MAGIC: &[u8] = b"\x7fELF";
const LITTLE_ENDIAN: u8 = 1;
const TYPE: usize = 16;
const SHARED_OBJECT: u16 = 3;
const MACHINE: usize = 18;
const SEGMENT_LOAD: u32 = 1;
const SEGMENT_DYNAMIC: u32 = 2;
const TAG_END: u64 = 0;
const TAG_STRINGS: u64 = 5;
const TAG_SONAME: u64 = 14;

/// Why a file is no library that can be looked at.
#[derive(Debug, thiserror::Error)]
pub enum ElfError {
    /// Text, an archive, an empty file, or of another byte order.
    #[error("is no little-endian ELF file; install the driver again if it should be one")]
    NotElf,
    /// Its parts point outside the file or are larger than any library's.
    #[error("is a damaged ELF file; install the driver again")]
    Damaged,
    /// The disk's own trouble.
    #[error("cannot be read; check the disk")]
    Read(#[from] io::Error),
}

/// Looks at a library; `read_at` fills a buffer from an offset on, as far as the file goes (`pread(2)`).
///
/// # Errors
/// [`ElfError`] when it is no ELF file, or is damaged where this looks.
pub fn read(mut read_at: impl FnMut(&mut [u8], u64) -> io::Result<usize>) -> Result<Library, ElfError> {
    let mut bytes = |offset: u64, length: usize| -> Result<Vec<u8>, ElfError> {
        let mut buffer = vec![0; length];
        let got = read_at(&mut buffer, offset)?;
        buffer.truncate(got);
        Ok(buffer)
    };
    let head = bytes(0, HEAD)?;
    let class = class(&head)?;
    let machine = half(&head, MACHINE).ok_or(ElfError::Damaged)?;
    let layout = class.layout();
    let segments = segments(&head, layout, &mut bytes)?;
    let Some(dynamic) = segments.iter().find(|segment| segment.kind == SEGMENT_DYNAMIC) else {
        return Ok(Library { class, machine, shared: false, soname: None });
    };
    let shared = half(&head, TYPE) == Some(SHARED_OBJECT) && dynamic.size > 0;
    let size = usize::try_from(dynamic.size).map_or(MOST_DYNAMIC, |size| size.min(MOST_DYNAMIC));
    let dynamic = bytes(dynamic.offset, size)?;
    let soname = match name_address(&dynamic, layout) {
        None => None,
        Some((strings, name)) => Some(name_at(&segments, strings, name, &mut bytes)?),
    };
    Ok(Library { class, machine, shared, soname })
}

fn class(head: &[u8]) -> Result<Class, ElfError> {
    match head {
        [0x7f, b'E', b'L', b'F', class, LITTLE_ENDIAN, ..] => match class {
            1 => Ok(Class::Bits32),
            2 => Ok(Class::Bits64),
            _ => Err(ElfError::Damaged),
        },
        _ => {
            Err(if head.starts_with(MAGIC) && head.len() < 6 { ElfError::Damaged } else { ElfError::NotElf })
        }
    }
}

struct Segment {
    kind: u32,
    offset: u64,
    address: u64,
    size: u64,
}

fn segments(
    head: &[u8],
    layout: &Layout,
    bytes: &mut impl FnMut(u64, usize) -> Result<Vec<u8>, ElfError>,
) -> Result<Vec<Segment>, ElfError> {
    let start = layout.word(head, layout.table_offset).ok_or(ElfError::Damaged)?;
    let size = usize::from(half(head, layout.table_entry_size).ok_or(ElfError::Damaged)?);
    let count = usize::from(half(head, layout.table_count).ok_or(ElfError::Damaged)?);
    if count == 0 {
        return Ok(Vec::new());
    }
    if size != layout.entry_size || count > MOST_HEADERS {
        return Err(ElfError::Damaged);
    }
    let length = size * count;
    let near = usize::try_from(start).ok().and_then(|start| head.get(start..start.checked_add(length)?));
    let table = near.map_or_else(|| bytes(start, length), |near| Ok(near.to_vec()))?;
    if table.len() < length {
        return Err(ElfError::Damaged);
    }
    Ok(table.chunks_exact(size).filter_map(|entry| segment(entry, layout)).collect())
}

fn segment(entry: &[u8], layout: &Layout) -> Option<Segment> {
    Some(Segment {
        kind: number(entry, 0)?,
        offset: layout.word(entry, layout.segment_offset)?,
        address: layout.word(entry, layout.segment_address)?,
        size: layout.word(entry, layout.segment_size)?,
    })
}

/// Address of the string table and the name's offset in it, if the library has a name.
fn name_address(dynamic: &[u8], layout: &Layout) -> Option<(u64, u64)> {
    let (mut strings, mut name) = (None, None);
    for entry in dynamic.chunks_exact(layout.word * 2) {
        let value = layout.word(entry, layout.word);
        match layout.word(entry, 0)? {
            TAG_END => break,
            TAG_STRINGS => strings = value,
            TAG_SONAME => name = value,
            _ => {}
        }
    }
    Some((strings?, name?))
}

fn name_at(
    segments: &[Segment],
    strings: u64,
    name: u64,
    bytes: &mut impl FnMut(u64, usize) -> Result<Vec<u8>, ElfError>,
) -> Result<String, ElfError> {
    let inside = |segment: &&Segment| {
        let past = strings.checked_sub(segment.address);
        segment.kind == SEGMENT_LOAD && past.is_some_and(|past| past < segment.size)
    };
    let segment = segments.iter().find(inside).ok_or(ElfError::Damaged)?;
    let offset = (strings - segment.address).checked_add(segment.offset).and_then(|at| at.checked_add(name));
    let text = bytes(offset.ok_or(ElfError::Damaged)?, MOST_NAME)?;
    let text = text.split(|byte| *byte == 0).next().filter(|name| name.len() < MOST_NAME);
    let name = text.and_then(|name| str::from_utf8(name).ok()).filter(|name| is_file_name(name));
    name.map(str::to_owned).ok_or(ElfError::Damaged)
}

/// The name becomes a link in a container: it must not lead to another folder.
fn is_file_name(name: &str) -> bool {
    !name.is_empty() && !name.contains('/') && name != "." && name != ".."
}

#[cfg(test)]
mod tests;
