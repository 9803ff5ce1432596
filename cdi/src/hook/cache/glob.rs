//! Patterns of include lines, one name at a time (`fnmatch(3)` without locales).

/// Whether a name is a pattern.
pub(super) fn is_pattern(name: &[u8]) -> bool {
    name.iter().any(|byte| matches!(byte, b'*' | b'?' | b'['))
}

/// Whether `name` is of the form of `pattern`; hidden names only if it says so. Takes their lengths' product at most.
pub(super) fn matches(pattern: &[u8], name: &[u8]) -> bool {
    if name.first() == Some(&b'.') && pattern.first() != Some(&b'.') {
        return false;
    }
    let (mut rest, mut left) = (pattern, name);
    let mut again: Option<(&[u8], &[u8])> = None;
    loop {
        if let [b'*', after @ ..] = rest {
            again = Some((after, left));
            rest = after;
            continue;
        }
        if rest.is_empty() && left.is_empty() {
            return true;
        }
        if let Some((after, taken)) = one(rest, left) {
            (rest, left) = (after, taken);
            continue;
        }
        let Some((after, [_, less @ ..])) = again else { return false };
        again = Some((after, less));
        (rest, left) = (after, less);
    }
}

/// What is left of both when the first sign of the pattern takes the first byte of the name.
fn one<'p, 'n>(pattern: &'p [u8], name: &'n [u8]) -> Option<(&'p [u8], &'n [u8])> {
    let (byte, left) = name.split_first()?;
    match pattern {
        [b'?', rest @ ..] => Some((rest, left)),
        [b'[', rest @ ..] => match set(rest, *byte) {
            Some((true, rest)) => Some((rest, left)),
            Some((false, _)) => None,
            None => (*byte == b'[').then_some((rest, left)),
        },
        [b'\\', literal, rest @ ..] | [literal, rest @ ..] => (literal == byte).then_some((rest, left)),
        [] => None,
    }
}

/// Whether a set takes the byte, and what follows the set; `None` when it has no end.
fn set(pattern: &[u8], byte: u8) -> Option<(bool, &[u8])> {
    let (inverted, mut rest) = match pattern {
        [b'!' | b'^', rest @ ..] => (true, rest),
        _ => (false, pattern),
    };
    let (mut taken, mut first) = (false, true);
    loop {
        match rest {
            [b']', after @ ..] if !first => return Some((taken != inverted, after)),
            [low, b'-', high, after @ ..] if *high != b']' => {
                taken |= (*low..=*high).contains(&byte);
                rest = after;
            }
            [single, after @ ..] => {
                taken |= *single == byte;
                rest = after;
            }
            [] => return None,
        }
        first = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_match_as_in_the_shell() {
        for (pattern, name, wanted) in [
            ("*.conf", "libc.conf", true),
            ("*.conf", ".hidden.conf", false),
            (".*.conf", ".hidden.conf", true),
            ("*.conf", "libc.conf.dpkg-old", false),
            ("lib?.conf", "libc.conf", true),
            ("lib?.conf", "lib.conf", false),
            ("[a-c]x", "bx", true),
            ("[!a-c]x", "bx", false),
            ("[]]x", "]x", true),
            ("[", "[", true),
            ("a*b*c", "aXbXbc", true),
            ("a*b*c", "aXbXb", false),
            ("\\*", "*", true),
            ("\\*", "a", false),
            ("", "", true),
            ("*", "", true),
        ] {
            assert_eq!(matches(pattern.as_bytes(), name.as_bytes()), wanted, "{pattern} {name}");
        }
    }

    #[test]
    fn a_hostile_pattern_takes_no_more_than_its_share() {
        let pattern = b"*a".repeat(1000);
        assert!(!matches(&pattern, &[b'a'; 999]));
        assert!(matches(&pattern, &[b'a'; 1000]));
    }
}
