//! Compute instances: making and unmaking.

use super::{ComputeInstance, GpuInstance, Mig, MigError, profile_by_id, room};
use crate::profiles::{ComputeProfile, GpuProfile, MigLayout, Placement};

/// One past the highest number that a caller may ask for (`NVML_COMPUTE_INSTANCE_PROFILE_COUNT`).
const PROFILE_NUMBERS: u32 = 9;

/// Most compute instances in one GPU instance.
const MOST: u32 = 8;

/// The compute profile of a GPU instance's profile that a caller asks for by its number.
///
/// # Errors
/// [`MigError::InvalidArgument`] out of range, which ends a loop over all; [`MigError::NotSupported`] otherwise.
pub fn compute_profile(profile: &GpuProfile, number: u32) -> Result<&ComputeProfile, MigError> {
    if number >= PROFILE_NUMBERS {
        return Err(MigError::InvalidArgument);
    }
    profile.compute.iter().find(|compute| compute.id == number).ok_or(MigError::NotSupported)
}

/// Makes a compute instance in GPU instance `id`, at `place` or in the first that is free, and answers its id.
///
/// # Errors
/// As [`MigError`] says.
pub fn create_compute_instance(
    layout: Option<&MigLayout>,
    mig: &mut Mig,
    id: u32,
    profile: u32,
    place: Option<Placement>,
) -> Result<u32, MigError> {
    let instance = mig.instances.iter_mut().find(|instance| instance.id == id).ok_or(MigError::NotFound)?;
    let gpu_profile = profile_by_id(layout, instance.profile)?;
    let profile = compute_profile(gpu_profile, profile)?;
    if place.is_some_and(|place| !profile.placements.contains(&place)) {
        return Err(MigError::InvalidArgument);
    }
    if room::compute_capacity(instance, gpu_profile.slices, profile, used_slices(gpu_profile, instance)) == 0
    {
        return Err(MigError::InsufficientResources);
    }
    let chosen = room::free_compute_placements(instance, profile)
        .find(|free| place.is_none_or(|place| place == *free));
    let placement = chosen.ok_or(MigError::InsufficientResources)?;
    let new = free_id(instance).ok_or(MigError::InsufficientResources)?;
    instance.compute.push(ComputeInstance { id: new, profile: profile.id, placement, processes: Vec::new() });
    instance.compute.sort_by_key(|compute| compute.id);
    Ok(new)
}

/// Unmakes compute instance `compute` of GPU instance `id`.
///
/// # Errors
/// [`MigError::NotFound`]; [`MigError::InUse`] while a process runs on it.
pub fn destroy_compute_instance(mig: &mut Mig, id: u32, compute: u32) -> Result<(), MigError> {
    let (_, found) = mig.compute(id, compute).ok_or(MigError::NotFound)?;
    if !found.processes.is_empty() {
        return Err(MigError::InUse);
    }
    for instance in mig.instances.iter_mut().filter(|instance| instance.id == id) {
        instance.compute.retain(|found| found.id != compute);
    }
    Ok(())
}

/// Compute slices of the GPU instance that are taken.
#[must_use]
pub fn used_slices(profile: &GpuProfile, instance: &GpuInstance) -> u32 {
    let slices =
        |id: u32| profile.compute.iter().find(|compute| compute.id == id).map_or(0, |compute| compute.slices);
    instance.compute.iter().map(|compute| slices(compute.profile)).sum()
}

fn free_id(instance: &GpuInstance) -> Option<u32> {
    (0..MOST).find(|id| !instance.compute.iter().any(|compute| compute.id == *id))
}
