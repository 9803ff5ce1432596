//! `/proc/driver/nvidia-caps/mig-minors`: one capability a line, with its minor number. Pure.

use std::collections::BTreeMap;

use super::super::capability::{Capability, digits};

/// All capabilities; lines of another form are those of a newer driver, and are passed over.
pub(super) fn parse(bytes: &[u8]) -> BTreeMap<Capability, u32> {
    bytes.split(|byte| *byte == b'\n').filter_map(line).collect()
}

/// `config 1`, `gpu0/gi1/access 12`, `gpu0/gi1/ci0/access 13`.
fn line(line: &[u8]) -> Option<(Capability, u32)> {
    let space = line.iter().position(|byte| *byte == b' ')?;
    let (name, minor) = line.split_at_checked(space)?;
    let (minor, rest) = digits(minor.strip_prefix(b" ")?)?;
    rest.is_empty().then_some((Capability::from_name(name)?, minor))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn each_form_of_line_is_read_and_others_are_passed_over() {
        let text =
            b"config 1\nmonitor 2\ngpu0/gi7/access 66\ngpu0/gi7/ci0/access 67\ngpu31/gi14/ci7/access 4322\n\
            gpu/gi1/access 1\ngpu0/gi1/access\ngpu0/gi1/access 99999999999\nconfig 1 2\nfuture 9\n\n";
        let wanted = [
            (Capability::Config, 1),
            (Capability::Monitor, 2),
            (Capability::GpuInstance { gpu: 0, gi: 7 }, 66),
            (Capability::ComputeInstance { gpu: 0, gi: 7, ci: 0 }, 67),
            (Capability::ComputeInstance { gpu: 31, gi: 14, ci: 7 }, 4322),
        ];
        assert_eq!(parse(text), BTreeMap::from(wanted));
    }

    proptest! {
        #[test]
        fn any_bytes_are_answered(bytes: Vec<u8>) {
            parse(&bytes);
        }

        #[test]
        fn what_the_driver_writes_is_read_back(gpu in 0u32..32, gi in 0u32..15, ci in 0u32..8) {
            let gi_minor = 3 + 135 * gpu + 9 * gi;
            let ci_minor = gi_minor + 1 + ci;
            let text = format!("gpu{gpu}/gi{gi}/access {gi_minor}\ngpu{gpu}/gi{gi}/ci{ci}/access {ci_minor}\n");
            let wanted = [
                (Capability::GpuInstance { gpu, gi }, gi_minor),
                (Capability::ComputeInstance { gpu, gi, ci }, ci_minor),
            ];
            prop_assert_eq!(parse(text.as_bytes()), BTreeMap::from(wanted));
        }
    }
}
