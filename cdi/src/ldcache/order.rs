//! The order of names in the cache: the loader's binary search depends on it (`_dl_cache_libcmp` of glibc).

use std::{cmp::Ordering, ffi::c_char, iter::Peekable};

/// Digits in a row that still fit the loader's `int`; its comparison has no meaning for longer numbers.
const MOST_DIGITS: usize = 9;

/// Compares names as the loader does: runs of digits by value, a digit after any other character, other bytes as
/// the platform's `char`. The cache holds names in descending order.
#[must_use]
pub fn compare(left: &[u8], right: &[u8]) -> Ordering {
    let mut left = left.iter().copied().peekable();
    let mut right = right.iter().copied().peekable();
    loop {
        let order = match (left.peek().copied(), right.peek().copied()) {
            (None, None) => return Ordering::Equal,
            (Some(l), Some(r)) if l.is_ascii_digit() && r.is_ascii_digit() => {
                number(&mut left).cmp(&number(&mut right))
            }
            (Some(l), _) if l.is_ascii_digit() => Ordering::Greater,
            (_, Some(r)) if r.is_ascii_digit() => Ordering::Less,
            _ => character(left.next()).cmp(&character(right.next())),
        };
        if order.is_ne() {
            return order;
        }
    }
}

/// Whether the loader can compare the name at all: it has no zero byte and no number beyond its `int`.
#[must_use]
pub fn is_comparable(name: &[u8]) -> bool {
    !name.is_empty()
        && !name.contains(&0)
        && name.split(|byte| !byte.is_ascii_digit()).all(|digits| digits.len() <= MOST_DIGITS)
}

fn number(bytes: &mut Peekable<impl Iterator<Item = u8>>) -> u64 {
    let mut value = 0_u64;
    while let Some(digit) = bytes.next_if(u8::is_ascii_digit) {
        value = value.saturating_mul(10).saturating_add(u64::from(digit - b'0'));
    }
    value
}

/// The end counts as the zero byte that C strings have there.
fn character(byte: Option<u8>) -> c_char {
    c_char::from_ne_bytes([byte.unwrap_or(0)])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn numbers_compare_by_value_and_stand_behind_letters() {
        for (less, greater) in [
            ("libcuda.so.1", "libcuda.so.550.163.01"),
            ("libfoo.so.9", "libfoo.so.10"),
            ("libfoo.so", "libfoo.so.1"),
            ("libfooa.so", "libfoo1.so"),
            ("libX11.so.6", "liba.so"),
            ("lib", "lib1"),
            ("libz.so.1.2", "libz.so.1.2.13"),
        ] {
            assert_eq!(compare(less.as_bytes(), greater.as_bytes()), Ordering::Less, "{less} {greater}");
            assert_eq!(compare(greater.as_bytes(), less.as_bytes()), Ordering::Greater, "{greater} {less}");
        }
        assert_eq!(compare(b"libx.so.01", b"libx.so.1"), Ordering::Equal);
    }

    #[test]
    fn names_that_the_loader_cannot_compare_are_told() {
        for (name, wanted) in [
            (&b"libcuda.so.1"[..], true),
            (b"libx.so.20261201", true),
            (b"libx.so.2147483648", false),
            (b"", false),
            (b"lib\0", false),
        ] {
            assert_eq!(is_comparable(name), wanted, "{name:?}");
        }
    }

    proptest! {
        #[test]
        fn the_order_is_one_for_any_names(a in "[a.0-9\u{80}]{0,8}", b in "[a.0-9\u{80}]{0,8}", c in "[a.0-9\u{80}]{0,8}") {
            let (a, b, c) = (a.as_bytes(), b.as_bytes(), c.as_bytes());
            prop_assert_eq!(compare(a, b), compare(b, a).reverse());
            if compare(a, b).is_le() && compare(b, c).is_le() {
                prop_assert!(compare(a, c).is_le());
            }
        }
    }
}
