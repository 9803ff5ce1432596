//! `/proc/devices`: numbers and names of drivers, first those of character devices. Pure.

use std::collections::BTreeMap;

/// Major number of each driver of character devices; the first where a name stands twice.
pub(super) fn parse(bytes: &[u8]) -> BTreeMap<String, u32> {
    let mut majors = BTreeMap::new();
    let text = String::from_utf8_lossy(bytes);
    let lines = text.lines().skip_while(|line| *line != "Character devices:").skip(1);
    for (major, name) in lines.take_while(|line| !line.ends_with(':')).filter_map(line) {
        majors.entry(name).or_insert(major);
    }
    majors
}

fn line(line: &str) -> Option<(u32, String)> {
    let (major, name) = line.trim_start().split_once(' ')?;
    Some((major.parse().ok()?, name.trim().to_owned()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn drivers_of_block_devices_are_not_mixed_in() {
        let text = b"Character devices:\n  1 mem\n195 nvidia\n195 nvidiactl\n511 nvidia-caps\n\nBlock devices:\n  8 sd\n 11 mem\n";
        let wanted = [("mem", 1), ("nvidia", 195), ("nvidia-caps", 511), ("nvidiactl", 195)];
        assert_eq!(parse(text), wanted.map(|(name, major)| (name.to_owned(), major)).into());
    }

    proptest! {
        #[test]
        fn any_bytes_are_answered(bytes: Vec<u8>) {
            parse(&bytes);
        }
    }
}
