//! Whether a device node has the number that its driver has now. Pure.
//!
//! A node can outlive its driver: after a reload the major number of nvidia-uvm may be that of another driver, and
//! containers would get that one's device.

use std::{collections::BTreeMap, path::Path};

use super::snapshot::NodeFacts;

/// Names in `/proc/devices`: those that newer drivers of a kind have come first.
type Drivers = &'static [&'static str];

const GPU: Drivers = &["nvidia", "nvidia-frontend"];
const UVM: Drivers = &["nvidia-uvm"];

/// Nodes of one name each, with their minor numbers (NVIDIA's nvidia-modprobe).
const SINGLE: [(&str, Drivers, u32); 4] = [
    ("/dev/nvidiactl", GPU, 255),
    ("/dev/nvidia-modeset", GPU, 254),
    ("/dev/nvidia-uvm", UVM, 0),
    ("/dev/nvidia-uvm-tools", UVM, 1),
];

/// Nodes whose names end in their minor numbers.
const NUMBERED: [(&str, Drivers); 3] = [
    ("/dev/nvidia-caps/nvidia-cap", &["nvidia-caps"]),
    ("/dev/nvidia-caps-imex-channels/channel", &["nvidia-caps-imex-channels"]),
    ("/dev/nvidia", GPU),
];

/// What is wrong with the number of the node at `path` of a container, given the `majors` of all drivers. Nothing is,
/// as far as is known, where its driver has no major number.
pub(super) fn wrong(path: &Path, facts: &NodeFacts, majors: &BTreeMap<String, u32>) -> Option<String> {
    let (drivers, minor) = wanted(path.to_str()?)?;
    let major = *drivers.iter().find_map(|name| majors.get(*name))?;
    let (has_major, has_minor) = (facts.major, facts.minor);
    ((has_major, has_minor) != (major, minor)).then(|| {
        format!(
            "is device {has_major}:{has_minor}, but its driver's is {major}:{minor}; remove it and make it again \
             with nvidia-modprobe"
        )
    })
}

fn wanted(path: &str) -> Option<(Drivers, u32)> {
    let single = SINGLE.iter().find(|(name, ..)| *name == path).map(|(_, drivers, minor)| (*drivers, *minor));
    let numbered = || {
        let of = |(prefix, drivers): &(&str, Drivers)| {
            Some((*drivers, path.strip_prefix(prefix)?.parse::<u32>().ok()?))
        };
        NUMBERED.iter().find_map(of)
    };
    single.or_else(numbered)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_is_judged_by_the_number_of_its_driver() {
        let newer = [("nvidia", 195), ("nvidia-uvm", 511), ("nvidia-caps", 236)];
        let older = [("nvidia-frontend", 195), ("nvidia-uvm", 511), ("nvidia-caps", 236)];
        for majors in [newer, older] {
            let majors = majors.map(|(name, major)| (name.to_owned(), major)).into();
            for (path, major, minor, right) in [
                ("/dev/nvidia3", 195, 3, true),
                ("/dev/nvidia3", 195, 4, false),
                ("/dev/nvidia3", 1, 3, false),
                ("/dev/nvidiactl", 195, 255, true),
                ("/dev/nvidia-modeset", 195, 0, false),
                ("/dev/nvidia-uvm", 511, 0, true),
                ("/dev/nvidia-uvm", 510, 0, false),
                ("/dev/nvidia-uvm-tools", 511, 1, true),
                ("/dev/nvidia-caps/nvidia-cap147", 236, 147, true),
                ("/dev/nvidia-caps/nvidia-cap147", 236, 148, false),
                // Of drivers whose numbers are not known here.
                ("/dev/nvidia-caps-imex-channels/channel0", 1, 1, true),
                ("/dev/nvidia-fs0", 1, 1, true),
                ("/dev/dri/card1", 1, 1, true),
            ] {
                let facts = NodeFacts { host: path.into(), major, minor, mode: 0o666, uid: 0, gid: 0 };
                assert_eq!(
                    wrong(Path::new(path), &facts, &majors).is_none(),
                    right,
                    "{path} {major}:{minor}"
                );
            }
        }
    }
}
