//! Hides functions of a shared library from whoever looks them up.

use std::collections::BTreeSet;

/// `library` with the names of `functions` spoilt in its string tables, so that a look-up fails as it does
/// with a library that never had them. The library's own calls do not go by name.
pub(super) fn lacking(mut library: Vec<u8>, functions: &BTreeSet<String>) -> Vec<u8> {
    for function in functions.iter().filter(|name| !name.is_empty()) {
        let name = [b"\0", function.as_bytes(), b"\0"].concat();
        let places: Vec<usize> = library
            .windows(name.len())
            .enumerate()
            .filter(|(_, found)| *found == name)
            .map(|(at, _)| at)
            .collect();
        for at in places {
            library.get_mut(at + 1).into_iter().for_each(|first| *first = b'_');
        }
    }
    library
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_whole_name_is_spoilt() {
        let functions = BTreeSet::from(["nvmlInit".to_owned()]);
        let library = b"\0nvmlInit_v2\0nvmlInit\0xnvmlInit\0".to_vec();
        assert_eq!(lacking(library, &functions), b"\0nvmlInit_v2\0_vmlInit\0xnvmlInit\0");
    }
}
