//! An older driver's library: the same file, without some of its functions.
//!
//! A function is hidden by turning its entry in the dynamic symbol table into that of a symbol which is defined
//! elsewhere: `dlsym` passes over such entries (ELF: `SHN_UNDEF`), and the hash tables stay as they are.

use std::collections::BTreeSet;

/// Size of a section header of ELF64.
const SECTION: usize = 64;
/// Size of a symbol of ELF64.
const SYMBOL: usize = 24;
/// `SHT_DYNSYM`.
const DYNAMIC_SYMBOLS: u32 = 11;

/// Why symbols could not be hidden.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SymbolError {
    /// No 64-bit little-endian ELF file, or its tables lead out of it.
    #[error("the library is no whole 64-bit little-endian ELF file with section headers; build it anew")]
    Form,
    /// Nothing to hide.
    #[error("the library has no function {0}; check the name")]
    Absent(String),
}

/// `library` with the functions `names` gone: loading works, looking them up does not.
///
/// # Errors
/// [`SymbolError::Absent`] names the first that is not there to be hidden.
pub fn hide_symbols(library: &[u8], names: &[&str]) -> Result<Vec<u8>, SymbolError> {
    let mut missing: BTreeSet<&str> = names.iter().copied().collect();
    let mut bytes = library.to_vec();
    let (symbols, strings) = dynamic_symbols(library).ok_or(SymbolError::Form)?;
    for entry in (symbols.start..symbols.end).step_by(SYMBOL) {
        let name = name(library, &strings, entry).ok_or(SymbolError::Form)?;
        if is_defined(library, entry) && names.contains(&name) {
            missing.remove(name);
            undefine(&mut bytes, entry).ok_or(SymbolError::Form)?;
        }
    }
    missing.first().map_or(Ok(bytes), |name| Err(SymbolError::Absent((*name).into())))
}

/// Where the dynamic symbols and their names lie in the file.
fn dynamic_symbols(file: &[u8]) -> Option<(std::ops::Range<usize>, std::ops::Range<usize>)> {
    if file.get(..6)? != b"\x7fELF\x02\x01" {
        return None;
    }
    let table = number(file, 0x28, 8)?;
    let count = number(file, 0x3c, 2)?;
    let header = |index: usize| table.checked_add(index.checked_mul(SECTION)?);
    let kind = |at: usize| number(file, at.checked_add(4)?, 4);
    let found = (0..count).filter_map(header).find(|at| kind(*at) == Some(DYNAMIC_SYMBOLS as usize))?;
    let names = header(number(file, found.checked_add(0x28)?, 4)?)?;
    Some((extent(file, found)?, extent(file, names)?))
}

/// Offset and size of a section, within the file.
fn extent(file: &[u8], header: usize) -> Option<std::ops::Range<usize>> {
    let start = number(file, header.checked_add(0x18)?, 8)?;
    let end = start.checked_add(number(file, header.checked_add(0x20)?, 8)?)?;
    file.get(start..end).map(|_| start..end)
}

fn name<'a>(file: &'a [u8], strings: &std::ops::Range<usize>, entry: usize) -> Option<&'a str> {
    let start = strings.start.checked_add(number(file, entry, 4)?)?;
    let text = file.get(start..strings.end)?;
    std::str::from_utf8(text.split(|byte| *byte == 0).next()?).ok()
}

/// The section index, two bytes at 6, is not `SHN_UNDEF`.
fn is_defined(file: &[u8], entry: usize) -> bool {
    number(file, entry + 6, 2).is_some_and(|section| section != 0)
}

/// Clears section index, value and size; the name stays, the binding becomes weak so that nobody asks for it.
fn undefine(file: &mut [u8], entry: usize) -> Option<()> {
    let symbol = file.get_mut(entry..entry.checked_add(SYMBOL)?)?;
    let (_name, rest) = symbol.split_at_mut_checked(4)?;
    let (info, rest) = rest.split_first_mut()?;
    *info = 0x20 | *info & 0x0f;
    rest.get_mut(1..)?.fill(0);
    Some(())
}

fn number(file: &[u8], at: usize, width: usize) -> Option<usize> {
    let bytes = file.get(at..at.checked_add(width)?)?;
    bytes.iter().rev().try_fold(0_usize, |number, byte| Some(number.checked_mul(256)? + usize::from(*byte)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_is_no_library_is_refused() {
        assert_eq!(hide_symbols(b"#!/bin/sh\n", &["a"]), Err(SymbolError::Form));
        assert_eq!(hide_symbols(b"\x7fELF\x02\x01", &[]), Err(SymbolError::Form));
    }

    proptest! {
        #[test]
        fn any_bytes_are_answered(tail in prop::collection::vec(any::<u8>(), 0..300)) {
            let file = [b"\x7fELF\x02\x01".as_slice(), &tail].concat();
            drop(hide_symbols(&file, &["a"]));
        }
    }
}
