//! GPU instances: making and unmaking.

use super::{GpuInstance, Mig, MigError, room};
use crate::profiles::{GpuProfile, MigLayout, Placement};

/// One past the highest number that a caller may ask for (`NVML_GPU_INSTANCE_PROFILE_COUNT` of the newest header).
const PROFILE_NUMBERS: u32 = 18;

/// The profile that a caller asks for by its number, as loops over all numbers do.
///
/// # Errors
/// [`MigError::InvalidArgument`] out of range, which ends such a loop; [`MigError::NotSupported`] where the board
/// lacks it.
pub fn profile_by_number(layout: Option<&MigLayout>, number: u32) -> Result<&GpuProfile, MigError> {
    if number >= PROFILE_NUMBERS {
        return Err(MigError::InvalidArgument);
    }
    let profiles = layout.map(|layout| layout.profiles.as_slice()).unwrap_or_default();
    profiles.iter().find(|profile| profile.number == number).ok_or(MigError::NotSupported)
}

/// The profile with this id.
///
/// # Errors
/// [`MigError::NotSupported`] without MIG, [`MigError::InvalidArgument`] without such a profile.
pub fn profile_by_id(layout: Option<&MigLayout>, id: u32) -> Result<&GpuProfile, MigError> {
    let profiles = &layout.ok_or(MigError::NotSupported)?.profiles;
    profiles.iter().find(|profile| profile.id == id).ok_or(MigError::InvalidArgument)
}

/// Makes a GPU instance of the profile with id `profile`, at `place` or where it costs least, and answers its id.
///
/// # Errors
/// As [`MigError`] says; no room is [`MigError::InsufficientResources`], a placement that the profile never has
/// [`MigError::InvalidArgument`].
pub fn create_gpu_instance(
    layout: Option<&MigLayout>,
    mig: &mut Mig,
    profile: u32,
    place: Option<Placement>,
) -> Result<u32, MigError> {
    let layout = layout.filter(|_| mig.enabled).ok_or(MigError::NotSupported)?;
    let profile = profile_by_id(Some(layout), profile)?;
    if place.is_some_and(|place| !profile.placements.contains(&place)) {
        return Err(MigError::InvalidArgument);
    }
    if room::capacity(layout, mig, profile) == 0 {
        return Err(MigError::InsufficientResources);
    }
    let free = place.filter(|place| room::is_free(mig, *place));
    let chosen = if place.is_some() { free } else { room::cheapest(layout, mig, profile) };
    let placement = chosen.ok_or(MigError::InsufficientResources)?;
    let id = free_id(layout, mig, profile.memory_slices).ok_or(MigError::InsufficientResources)?;
    mig.instances.push(GpuInstance { id, profile: profile.id, placement, compute: Vec::new() });
    mig.instances.sort_by_key(|instance| instance.id);
    Ok(id)
}

/// Unmakes the GPU instance with `id`.
///
/// # Errors
/// [`MigError::NotFound`]; [`MigError::InUse`] while it holds compute instances.
pub fn destroy_gpu_instance(mig: &mut Mig, id: u32) -> Result<(), MigError> {
    let instance = mig.instance(id).ok_or(MigError::NotFound)?;
    if !instance.compute.is_empty() {
        return Err(MigError::InUse);
    }
    mig.instances.retain(|instance| instance.id != id);
    Ok(())
}

/// Ids go by share of the board, lowest free first.
fn free_id(layout: &MigLayout, mig: &Mig, memory_slices: u32) -> Option<u32> {
    let ids = layout.instance_ids.get(&memory_slices)?;
    ids.iter().copied().find(|id| mig.instance(*id).is_none())
}
