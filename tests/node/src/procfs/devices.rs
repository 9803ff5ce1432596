//! `/proc/devices`: which driver has which number.

use std::collections::BTreeMap;

use crate::{
    layout::Layout,
    machine::{Feature, Machine, majors},
};

/// The list of a kernel without an NVIDIA driver.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KernelDevices {
    /// Character devices: number and name, in the kernel's order.
    character: Vec<(u32, String)>,
    /// The rest of the text: block devices.
    block: String,
}

impl KernelDevices {
    /// Reads the text of `/proc/devices`; lines that are none of it are left out.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let (character, block) = text.split_once("\nBlock devices:\n").unwrap_or((text, ""));
        let lines = character.lines().filter_map(|line| line.trim().split_once(' '));
        let character = lines.filter_map(|(number, name)| Some((number.parse().ok()?, name.to_owned())));
        Self { character: character.collect(), block: block.to_owned() }
    }
}

/// The text of `/proc/devices`: what `kernel` has, and the machine's drivers. A number that both
/// claim is the machine's: its nodes are looked at, the others only listed.
#[must_use]
pub fn devices(machine: &Machine, kernel: &KernelDevices) -> String {
    let own = own(machine);
    let kept = kernel.character.iter().filter(|(number, _)| own.iter().all(|(other, _)| other != number));
    let mut lines: Vec<(u32, &str)> = kept.map(|(number, name)| (*number, name.as_str())).collect();
    lines.extend(own.iter().copied());
    lines.sort_by_key(|(number, _)| *number);
    let lines: String = lines.iter().map(|(number, name)| format!("{number:3} {name}\n")).collect();
    format!("Character devices:\n{lines}\nBlock devices:\n{}", kernel.block)
}

fn own(machine: &Machine) -> Vec<(u32, &'static str)> {
    let majors = &machine.majors;
    let loaded = machine.kernel.is_some() && !matches!(machine.layout, Layout::Wsl | Layout::TegraOrin);
    let driver = [
        (majors::NVIDIA, "nvidia"),
        (majors::NVIDIA, "nvidia-modeset"),
        (majors::NVIDIA, "nvidiactl"),
        (majors::DRM, "drm"),
        (majors.caps, "nvidia-caps"),
        (majors.imex, "nvidia-caps-imex-channels"),
        (majors.uvm, "nvidia-uvm"),
    ];
    let features = BTreeMap::from([
        (Feature::Mofed, (majors.verbs, "infiniband_verbs")),
        (Feature::Gds, (majors.nvfs, "nvidia-fs")),
        (Feature::Gdrcopy, (majors.gdrcopy, "gdrdrv")),
        (Feature::Nvswitch, (majors.nvswitch, "nvidia-nvswitch")),
    ]);
    let has = features.into_iter().filter(|(feature, _)| machine.has(*feature)).map(|(_, line)| line);
    driver.into_iter().filter(|_| loaded).chain(has).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::DriverVersion;

    #[test]
    fn the_drivers_lines_stand_among_the_kernels_and_win_a_number() {
        let kernel = KernelDevices::parse(
            "Character devices:\n  1 mem\n236 hidraw\n254 ndctl\n\nBlock devices:\n  7 loop\n",
        );
        let mut machine = Machine::new(Layout::Debian, DriverVersion::stand_in(), Vec::new());
        assert_eq!(
            devices(&machine, &kernel),
            "Character devices:\n  1 mem\n195 nvidia\n195 nvidia-modeset\n195 nvidiactl\n226 drm\n\
             236 nvidia-caps\n237 nvidia-caps-imex-channels\n254 ndctl\n511 nvidia-uvm\n\n\
             Block devices:\n  7 loop\n"
        );
        machine.kernel = None;
        assert!(!devices(&machine, &kernel).contains("nvidia"));
    }
}
