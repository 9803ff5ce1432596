//! Made libraries with and without a note, and damaged ones.

use proptest::prelude::*;

use super::*;

const JSON: &str = r#"{"Format":1,"CUDA Version":"12.9","Driver":[535,550,570],"Device":[7,8]}"#;

fn look(file: &[u8]) -> Result<Option<Note>, NoteError> {
    read(|buffer, offset| {
        let rest = usize::try_from(offset).ok().and_then(|offset| file.get(offset..)).unwrap_or_default();
        let length = rest.len().min(buffer.len());
        buffer[..length].copy_from_slice(&rest[..length]);
        Ok(length)
    })
}

/// A library with one note section, its owner padded to `alignment`.
pub(in crate::hook) fn library(section: &str, owner: &str, json: &str, alignment: usize) -> Vec<u8> {
    let names = [b"\0", section.as_bytes(), b"\0"].concat();
    let length = |length: usize| u32::try_from(length).expect("small").to_le_bytes();
    let mut note = [length(owner.len() + 1), length(json.len()), length(1)].concat();
    note.extend(owner.as_bytes());
    note.resize(NOTE_HEADER + (owner.len() + 1).next_multiple_of(alignment), 0);
    note.extend(json.as_bytes());
    let entry = |name: u32, kind: u32, offset: usize, size: usize, alignment: usize| {
        let mut entry = vec![0; ENTRY];
        entry[..4].copy_from_slice(&name.to_le_bytes());
        entry[4..8].copy_from_slice(&kind.to_le_bytes());
        entry[24..32].copy_from_slice(&offset.to_le_bytes());
        entry[32..40].copy_from_slice(&size.to_le_bytes());
        entry[48..56].copy_from_slice(&alignment.to_le_bytes());
        entry
    };
    let first = HEADER + 3 * ENTRY;
    let mut file = vec![0; HEADER];
    file[..6].copy_from_slice(b"\x7fELF\x02\x01");
    file[40..48].copy_from_slice(&HEADER.to_le_bytes());
    file[58..64].copy_from_slice(&[64, 0, 3, 0, 1, 0]);
    file.extend(entry(0, 0, 0, 0, 0));
    file.extend(entry(0, 3, first, names.len(), 1));
    file.extend(entry(1, KIND_NOTE, first + names.len(), note.len(), alignment));
    [file, names, note].concat()
}

#[test]
fn the_note_is_read_at_any_alignment() {
    let wanted = Note { cuda: "12.9".parse().ok(), drivers: vec![535, 550, 570] };
    for alignment in [1, 4, 8, 32] {
        let file = library(".note.cuda.fwd_compatibility", "NVIDIA Corporation", JSON, alignment);
        assert_eq!(look(&file).expect("a library"), Some(wanted.clone()), "{alignment}");
    }
}

#[test]
fn other_notes_are_none_and_damaged_ones_are_told() {
    assert_eq!(look(&library(".note.gnu.build-id", "GNU", "x", 4)).expect("a library"), None);
    for file in [
        library(".note.cuda.fwd_compatibility", "Somebody", JSON, 4),
        library(".note.cuda.fwd_compatibility", "NVIDIA Corporation", "{", 4),
        library(".note.cuda.fwd_compatibility", "NVIDIA Corporation", r#"{"Driver":["550"]}"#, 4),
    ] {
        let error = look(&file).expect_err("damaged");
        assert!(matches!(error, NoteError::Damaged), "{error}");
    }
    let error = look(b"\x7fELF\x01\x01 of 32 bits").expect_err("another class");
    assert!(matches!(error, NoteError::NotElf), "{error}");
}

proptest! {
    #[test]
    fn any_bytes_are_answered(file: Vec<u8>) {
        drop(look(&file));
        drop(look(&[b"\x7fELF\x02\x01", &file[..]].concat()));
    }

    #[test]
    fn a_library_with_wrong_bytes_is_answered(at in 0usize..400, bytes: [u8; 8], cut in 0usize..500) {
        let mut file = library(".note.cuda.fwd_compatibility", "NVIDIA Corporation", JSON, 4);
        file.truncate(cut + 60);
        for (place, byte) in file.iter_mut().skip(at).zip(bytes) {
            *place = byte;
        }
        drop(look(&file));
    }
}
