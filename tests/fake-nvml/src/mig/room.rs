//! What still fits.

use super::{GpuInstance, Mig};
use crate::profiles::{ComputeProfile, GpuProfile, MigLayout, Placement};

/// How many more instances of `profile` fit on the GPU.
#[must_use]
pub fn capacity(layout: &MigLayout, mig: &Mig, profile: &GpuProfile) -> u32 {
    let lie = disjoint(free_placements(mig, profile));
    lie.min(left(
        profile.max_instances,
        mig.instances.iter().filter(|instance| instance.profile == profile.id).count(),
    ))
    .min(engines_suffice_for(layout, mig, profile))
}

/// Where an instance of `profile` could lie now, as far as memory slices go.
pub fn free_placements(mig: &Mig, profile: &GpuProfile) -> impl Iterator<Item = Placement> {
    profile.placements.iter().copied().filter(|place| is_free(mig, *place))
}

/// Whether no GPU instance lies there.
#[must_use]
pub fn is_free(mig: &Mig, place: Placement) -> bool {
    !mig.instances.iter().any(|instance| instance.placement.overlaps(place))
}

/// The free placement that leaves the most room for what may come; of equals the first.
///
/// What a placement costs: how many placements of any profile, free until now, it takes.
#[must_use]
pub fn cheapest(layout: &MigLayout, mig: &Mig, profile: &GpuProfile) -> Option<Placement> {
    let cost = |place: Placement| {
        let free = layout.profiles.iter().flat_map(|other| free_placements(mig, other));
        free.filter(|other| other.overlaps(place)).count()
    };
    free_placements(mig, profile).min_by_key(|place| cost(*place))
}

/// How many more compute instances of `profile` fit in the GPU instance.
#[must_use]
pub fn compute_capacity(instance: &GpuInstance, slices: u32, profile: &ComputeProfile, used: u32) -> u32 {
    let lie = disjoint(free_compute_placements(instance, profile));
    let same = instance.compute.iter().filter(|compute| compute.profile == profile.id).count();
    lie.min(left(profile.max_instances, same)).min(slices.saturating_sub(used) / profile.slices.max(1))
}

/// Where a compute instance of `profile` could lie now.
pub fn free_compute_placements(
    instance: &GpuInstance,
    profile: &ComputeProfile,
) -> impl Iterator<Item = Placement> {
    let taken = |place: &Placement| instance.compute.iter().any(|compute| compute.placement.overlaps(*place));
    profile.placements.iter().copied().filter(move |place| !taken(place))
}

/// Most placements that do not overlap; all are of one size, so taking the first that fits is best.
fn disjoint(places: impl Iterator<Item = Placement>) -> u32 {
    let mut places: Vec<Placement> = places.collect();
    places.sort_unstable();
    let (mut count, mut end) = (0, 0);
    for place in places {
        if place.start >= end {
            count += 1;
            end = place.start + place.size;
        }
    }
    count
}

/// Media engines are one stock: a `+me.all` takes them all, a `-me` takes none.
fn engines_suffice_for(layout: &MigLayout, mig: &Mig, profile: &GpuProfile) -> u32 {
    let used = |engine: usize| -> u32 {
        let profiles =
            mig.instances.iter().filter_map(|one| layout.profiles.iter().find(|p| p.id == one.profile));
        profiles.filter_map(|profile| profile.engines.media().get(engine).copied()).sum()
    };
    let stock = |engine: usize| {
        let counts =
            layout.profiles.iter().filter_map(|profile| profile.engines.media().get(engine).copied());
        counts.max().unwrap_or(0)
    };
    let wanted = profile.engines.media();
    let counts = wanted.iter().enumerate().filter(|(_, wanted)| **wanted > 0);
    counts
        .map(|(engine, wanted)| stock(engine).saturating_sub(used(engine)) / wanted)
        .min()
        .unwrap_or(u32::MAX)
}

fn left(most: u32, there: usize) -> u32 {
    most.saturating_sub(u32::try_from(there).unwrap_or(u32::MAX))
}
