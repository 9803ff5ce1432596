//! Channels of IMEX: memory shared between nodes of an NVLink domain.

use std::path::Path;

use super::{BuildError, Choices, DeviceId, Parts, device, edits, select};
use crate::{
    host::HostSnapshot,
    spec::{ContainerEdits, DeviceName},
};

const FOLDER: &str = "/dev/nvidia-caps-imex-channels";

/// Channels by number, and common edits.
pub(super) fn parts(snapshot: &HostSnapshot, choices: &Choices) -> Result<Parts, BuildError> {
    let mut channels: Vec<_> =
        snapshot.nodes.iter().filter_map(|(path, facts)| Some((number(path)?, path, facts))).collect();
    channels.sort_unstable_by_key(|(number, ..)| *number);
    all_known(&choices.only, &channels.iter().map(|(number, ..)| *number).collect::<Vec<_>>())?;
    let mut parts = Parts::default();
    for (number, path, facts) in channels.into_iter().filter(|(number, ..)| wants(&choices.only, *number)) {
        let mut own = ContainerEdits::default();
        edits::add_node(&mut own, (path, facts), choices.node, &mut parts.left_out);
        let name: Option<DeviceName> = number.to_string().parse().ok();
        parts.devices.extend(name.map(|name| device(name, own)));
    }
    parts.common = edits::no_legacy_hook(snapshot);
    Ok(parts)
}

fn number(path: &Path) -> Option<u32> {
    let name = path.strip_prefix(FOLDER).ok()?.to_str()?;
    name.strip_prefix("channel")?.parse().ok()
}

fn wants(only: &[DeviceId], number: u32) -> bool {
    let is = |id: &DeviceId| [DeviceId::All, DeviceId::Gpu(number), DeviceId::Channel(number)].contains(id);
    only.is_empty() || only.iter().any(is)
}

fn all_known(only: &[DeviceId], there: &[u32]) -> Result<(), BuildError> {
    let known = |id: &DeviceId| match id {
        DeviceId::All | DeviceId::None => true,
        DeviceId::Gpu(number) | DeviceId::Channel(number) => there.contains(number),
        DeviceId::Mig(..) | DeviceId::GpuUuid(_) | DeviceId::MigUuid(_) => false,
    };
    select::only_known(only, known, || there.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "))
}
