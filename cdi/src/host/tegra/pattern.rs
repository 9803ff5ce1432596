//! `*` and `?` in names, as a shell has them.

use std::path::{Component, Path, PathBuf};

use crate::root::{Root, RootError};

/// Whether `name` is of the form `pattern`.
pub(super) fn matches(pattern: &[u8], name: &[u8]) -> bool {
    // Of several stars only the last one met can still take more: time is at most length times length.
    let (mut at, mut taken) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while taken < name.len() {
        match pattern.get(at) {
            Some(b'*') => {
                star = Some((at + 1, taken));
                at += 1;
            }
            Some(byte) if *byte == b'?' || name.get(taken) == Some(byte) => {
                at += 1;
                taken += 1;
            }
            _ => match &mut star {
                Some((after, from)) => {
                    *from += 1;
                    (at, taken) = (*after, *from);
                }
                None => return false,
            },
        }
    }
    pattern.iter().skip(at).all(|byte| *byte == b'*')
}

/// The paths below `root` that `pattern` stands for, in order; a path without `*` and `?` stands for itself.
pub(super) fn expand(root: &Root, pattern: &Path) -> Result<Vec<PathBuf>, RootError> {
    let mut reached = vec![PathBuf::from("/")];
    for component in pattern.components() {
        let Component::Normal(name) = component else { continue };
        let name = name.as_encoded_bytes();
        if !name.iter().any(|byte| matches!(byte, b'*' | b'?')) {
            reached.iter_mut().for_each(|path| path.push(component));
            continue;
        }
        let mut next = Vec::new();
        for folder in &reached {
            match root.read_dir_where(folder, |candidate| matches(name, candidate)) {
                Ok(entries) => next.extend(entries.iter().map(|entry| folder.join(&entry.name))),
                Err(error) if error.is_missing() => {}
                Err(error) => return Err(error),
            }
        }
        reached = next;
    }
    Ok(reached)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn stars_and_question_marks_take_what_a_shell_lets_them() {
        for (pattern, name, wanted) in [
            ("libnv*.so", "libnvrm.so", true),
            ("libnv*.so", "libnvrm.so.1", false),
            ("*.so*", "libnvrm.so.1", true),
            ("lib?.so", "liba.so", true),
            ("lib?.so", "lib.so", false),
            ("*a*b", "aXbXb", true),
            ("*a*b", "aXbX", false),
            ("**", "", true),
            ("", "x", false),
        ] {
            assert_eq!(matches(pattern.as_bytes(), name.as_bytes()), wanted, "{pattern} {name}");
        }
    }

    proptest! {
        #[test]
        fn a_name_with_parts_replaced_by_stars_still_matches(name in "[a-c.]{0,12}", cuts in prop::collection::vec(0usize..12, 0..3)) {
            let mut pattern = name.clone();
            for cut in cuts.into_iter().filter(|cut| *cut < name.len()) {
                pattern.replace_range(cut..=cut, "*");
            }
            prop_assert!(matches(pattern.as_bytes(), name.as_bytes()));
        }

        #[test]
        fn any_pattern_is_answered(pattern: Vec<u8>, name: Vec<u8>) {
            matches(&pattern, &name);
        }
    }
}
