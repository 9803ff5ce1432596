//! What NVIDIA's library says of the drivers that it works with: JSON in the section `.note.cuda.fwd_compatibility`.
//!
//! Pure, and bounded whatever the file holds: little-endian ELF-64 alone (all that NVIDIA ships these libraries for).

use std::io;

use serde::Deserialize;

use super::Version;

const SECTION: &[u8] = b".note.cuda.fwd_compatibility\0";
const OWNER: &[u8] = b"NVIDIA Corporation";
const HEADER: usize = 64;
const ENTRY: usize = 64;
/// Sections looked at; libraries have about 40.
const MOST_SECTIONS: usize = 512;
/// Note sections whose names are looked at.
const MOST_NOTES: usize = 32;
/// Bytes of the note; NVIDIA's have about 200.
const MOST_NOTE: usize = 64 << 10;
const KIND_NOTE: u32 = 7;
const NOTE_HEADER: usize = 12;

/// Drivers and CUDA version of a library.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// Its CUDA version, if it is one.
    pub cuda: Option<Version>,
    /// Branches of host drivers that it works with.
    pub drivers: Vec<u32>,
}

/// Why a file's note cannot be had.
#[derive(Debug, thiserror::Error)]
pub(super) enum NoteError {
    /// Not the form of such a library.
    #[error("is no ELF library of 64 bits; install the CUDA compatibility package of the image again")]
    NotElf,
    /// The note is no note, or its JSON no JSON.
    #[error("has a damaged note; install the CUDA compatibility package of the image again")]
    Damaged,
    /// The disk's own trouble.
    #[error("cannot be read; check the disk")]
    Read(#[from] io::Error),
}

#[derive(Deserialize)]
struct Json {
    #[serde(rename = "CUDA Version", default)]
    cuda: String,
    #[serde(rename = "Driver", default)]
    drivers: Vec<u32>,
}

struct Section {
    name: u32,
    kind: u32,
    offset: u64,
    size: u64,
    alignment: u64,
}

/// The library's note; `None` if it has none. `read_at` fills a buffer from an offset on, as far as the file goes.
///
/// # Errors
/// [`NoteError`] when the file is no such library or its note is damaged.
pub(super) fn read(
    mut read_at: impl FnMut(&mut [u8], u64) -> io::Result<usize>,
) -> Result<Option<Note>, NoteError> {
    let mut bytes = |offset: u64, length: usize| -> Result<Vec<u8>, NoteError> {
        let mut buffer = vec![0; length];
        let got = read_at(&mut buffer, offset)?;
        buffer.truncate(got);
        Ok(buffer)
    };
    let sections = sections(&mut bytes)?;
    let (sections, names) = sections;
    for section in sections.iter().filter(|section| section.kind == KIND_NOTE).take(MOST_NOTES) {
        let Some(at) = names.checked_add(u64::from(section.name)) else { continue };
        if bytes(at, SECTION.len())? == SECTION {
            let size = usize::try_from(section.size).map_or(MOST_NOTE, |size| size.min(MOST_NOTE));
            return note(&bytes(section.offset, size)?, section.alignment).map(Some);
        }
    }
    Ok(None)
}

/// All sections, and where their names begin in the file.
fn sections(
    bytes: &mut impl FnMut(u64, usize) -> Result<Vec<u8>, NoteError>,
) -> Result<(Vec<Section>, u64), NoteError> {
    let header = bytes(0, HEADER)?;
    if !header.starts_with(b"\x7fELF\x02\x01") {
        return Err(NoteError::NotElf);
    }
    let number = |at: usize| half(&header, at).map(usize::from).ok_or(NoteError::NotElf);
    let (size, count, names) = (number(58)?, number(60)?, number(62)?);
    let start = long(&header, 40).ok_or(NoteError::NotElf)?;
    if count == 0 {
        return Ok((Vec::new(), 0));
    }
    if size != ENTRY || count > MOST_SECTIONS {
        return Err(NoteError::NotElf);
    }
    let table = bytes(start, count * ENTRY)?;
    let sections: Vec<_> = table.chunks_exact(ENTRY).filter_map(section).collect();
    let names = sections.get(names).map(|names| names.offset).ok_or(NoteError::NotElf)?;
    Ok((sections, names))
}

fn section(entry: &[u8]) -> Option<Section> {
    Some(Section {
        name: word(entry, 0)?,
        kind: word(entry, 4)?,
        offset: long(entry, 24)?,
        size: long(entry, 32)?,
        alignment: long(entry, 48)?,
    })
}

/// Lengths of name and text, a type, the name up to the section's alignment, the text.
fn note(section: &[u8], alignment: u64) -> Result<Note, NoteError> {
    let length = |at| word(section, at).and_then(|length| usize::try_from(length).ok());
    let (name, text) = length(0).zip(length(4)).ok_or(NoteError::Damaged)?;
    let alignment = usize::try_from(alignment.clamp(1, 64)).map_err(|_wide| NoteError::Damaged)?;
    let aligned = name.checked_next_multiple_of(alignment).ok_or(NoteError::Damaged)?;
    let rest = section.get(NOTE_HEADER..).ok_or(NoteError::Damaged)?;
    let (owner, rest) = rest.split_at_checked(aligned).ok_or(NoteError::Damaged)?;
    if trimmed(owner) != OWNER {
        return Err(NoteError::Damaged);
    }
    let json = rest.get(..text.min(rest.len())).map(trimmed).ok_or(NoteError::Damaged)?;
    let json: Json = serde_json::from_slice(json).map_err(|_json| NoteError::Damaged)?;
    Ok(Note { cuda: json.cuda.parse().ok(), drivers: json.drivers })
}

fn trimmed(bytes: &[u8]) -> &[u8] {
    let start = bytes.iter().position(|byte| *byte != 0).unwrap_or(bytes.len());
    let end = bytes.iter().rposition(|byte| *byte != 0).map_or(start, |last| last + 1);
    bytes.get(start..end).unwrap_or_default()
}

fn half(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(bytes.get(at..at.checked_add(2)?)?.try_into().ok()?))
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at.checked_add(4)?)?.try_into().ok()?))
}

fn long(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(bytes.get(at..at.checked_add(8)?)?.try_into().ok()?))
}

#[cfg(test)]
pub(in crate::hook) mod tests;
