//! Sequences of MIG operations: what was seen on real boards, and what must hold over any.

use std::collections::{BTreeMap, BTreeSet};

use berth_fake_nvml::{
    mig::{self, Mig, MigError, room},
    profiles::{MigLayout, PRODUCTS, Placement, find},
};
use proptest::prelude::*;
use serde::Deserialize;

fn layout(product: &str) -> MigLayout {
    find(product).expect("a product").mig.expect("a board with MIG")
}

fn with_mig() -> Vec<&'static str> {
    let capable = PRODUCTS.iter().filter(|key| find(key).expect("a product").mig.is_some());
    let keys: Vec<&str> = capable.copied().collect();
    assert!(keys.len() >= 13, "{keys:?}");
    keys
}

fn on() -> Mig {
    Mig { enabled: true, pending: true, instances: Vec::new() }
}

fn capacities(layout: &MigLayout, mig: &Mig) -> BTreeMap<u32, u32> {
    layout.profiles.iter().map(|profile| (profile.id, room::capacity(layout, mig, profile))).collect()
}

#[derive(Deserialize)]
struct Example {
    product: String,
    steps: Vec<Step>,
}

#[derive(Deserialize)]
struct Step {
    create: Create,
    free_after: BTreeMap<u32, u32>,
}

#[derive(Deserialize)]
struct Create {
    profile_id: u32,
    placement: Placement,
}

#[test]
fn the_room_left_is_that_seen_on_real_boards() {
    let examples: Vec<Example> =
        serde_json::from_str(include_str!("../data/capacity-examples.json")).expect("examples");
    assert!(!examples.is_empty());
    for example in examples {
        let (layout, mut mig) = (layout(&example.product), on());
        for step in example.steps {
            let Create { profile_id, placement } = step.create;
            mig::create_gpu_instance(Some(&layout), &mut mig, profile_id, Some(placement)).expect("room");
            let free = capacities(&layout, &mig);
            let listed = free.into_iter().filter(|(id, _)| step.free_after.contains_key(id));
            assert_eq!(listed.collect::<BTreeMap<_, _>>(), step.free_after, "{} {mig:?}", example.product);
        }
    }
}

fn places(product: &str, profiles: &[u32]) -> Result<Vec<(u32, u32)>, MigError> {
    let (layout, mut mig) = (layout(product), on());
    let made = profiles.iter().map(|profile| {
        let id = mig::create_gpu_instance(Some(&layout), &mut mig, *profile, None)?;
        Ok((id, mig.instance(id).ok_or(MigError::NotFound)?.placement.start))
    });
    made.collect()
}

#[test]
fn the_driver_chooses_what_costs_least_and_the_order_matters() {
    assert_eq!(places("a100-sxm4-40gb", &[14, 19]), Ok(vec![(3, 4), (7, 6)]));
    assert_eq!(places("a100-sxm4-40gb", &[19, 19, 14, 9]), Err(MigError::InsufficientResources));
    assert_eq!(places("a100-sxm4-40gb", &[9, 19, 14, 19]).map(|made| made.len()), Ok(4));
    assert_eq!(places("h100-sxm-80gb", &[9, 5]), Ok(vec![(1, 4), (2, 0)]));
    assert_eq!(places("a30", &[14, 14, 5]).map(|made| made.len()), Ok(3));
}

#[test]
fn media_engines_are_one_stock() {
    let taken = Err(MigError::InsufficientResources);
    assert_eq!(places("h100-sxm-80gb", &[20, 20]), taken);
    let (me_all, without, plain, graphics) = (65, 67, 14, 47);
    assert_eq!(places("rtx-pro-6000-blackwell-server", &[me_all, plain]), taken);
    assert_eq!(places("rtx-pro-6000-blackwell-server", &[plain, me_all]), taken);
    let all = places("rtx-pro-6000-blackwell-server", &[me_all, without, without, without]);
    assert_eq!(all.map(|made| made.len()), Ok(4));
    assert_eq!(places("rtx-pro-6000-blackwell-server", &[graphics; 4]).map(|made| made.len()), Ok(4));
}

#[test]
fn every_board_holds_as_many_of_a_profile_as_it_promises() {
    for product in with_mig() {
        let layout = layout(product);
        for profile in &layout.profiles {
            let promised = room::capacity(&layout, &on(), profile);
            assert_eq!(promised, profile.max_instances, "{product} {}", profile.name);
            let made = places(product, &vec![profile.id; promised as usize]);
            assert!(made.is_ok(), "{product} {}", profile.name);
        }
    }
}

#[test]
fn each_refusal_has_its_reason() {
    let (layout, mut mig) = (layout("a100-sxm4-40gb"), on());
    let place = |start, size| Some(Placement { start, size });
    let mut make = |profile, place| mig::create_gpu_instance(Some(&layout), &mut mig, profile, place);
    assert_eq!(make(99, None), Err(MigError::InvalidArgument));
    assert_eq!(make(14, place(6, 2)), Err(MigError::InvalidArgument));
    assert_eq!(make(14, place(4, 2)), Ok(3));
    assert_eq!(make(19, place(4, 1)), Err(MigError::InsufficientResources));
    assert_eq!(make(0, None), Err(MigError::InsufficientResources));
    assert_eq!(mig::create_gpu_instance(None, &mut on(), 19, None), Err(MigError::NotSupported));
    assert_eq!(
        mig::create_gpu_instance(Some(&layout), &mut Mig::default(), 19, None),
        Err(MigError::NotSupported)
    );
    assert_eq!(mig::destroy_gpu_instance(&mut mig, 9), Err(MigError::NotFound));
    assert_eq!(
        mig::create_compute_instance(Some(&layout), &mut mig, 3, 4, None),
        Err(MigError::NotSupported)
    );
    assert_eq!(
        mig::create_compute_instance(Some(&layout), &mut mig, 3, 9, None),
        Err(MigError::InvalidArgument)
    );
    assert_eq!(mig::create_compute_instance(Some(&layout), &mut mig, 3, 1, None), Ok(0));
    assert_eq!(
        mig::create_compute_instance(Some(&layout), &mut mig, 3, 0, None),
        Err(MigError::InsufficientResources)
    );
    assert_eq!(mig::destroy_gpu_instance(&mut mig, 3), Err(MigError::InUse));
    assert_eq!(mig::set_mode(Some(&layout), &mut mig, false, &[]), Err(MigError::InUse));
    assert_eq!(mig::set_mode(Some(&layout), &mut on(), false, &[77]), Err(MigError::InUse));
    assert_eq!(mig::set_mode(None, &mut on(), false, &[]), Err(MigError::NotSupported));
}

/// What a caller may do, with numbers that are folded into those there are.
#[derive(Debug, Clone)]
enum Action {
    Create(usize, Option<usize>),
    Destroy(usize),
    CreateCompute(usize, u32),
    DestroyCompute(usize),
}

fn step() -> impl Strategy<Value = Action> {
    prop_oneof![
        4 => (0usize..20, prop::option::of(0usize..8)).prop_map(|(profile, place)| Action::Create(profile, place)),
        2 => (0usize..8).prop_map(Action::Destroy),
        3 => (0usize..8, 0u32..10).prop_map(|(instance, profile)| Action::CreateCompute(instance, profile)),
        2 => (0usize..8).prop_map(Action::DestroyCompute),
    ]
}

fn perform(layout: &MigLayout, mig: &mut Mig, step: &Action) -> Result<(), TestCaseError> {
    match step {
        Action::Create(profile, place) => {
            let profile = nth(&layout.profiles, *profile).expect("a profile");
            let place = place.map(|place| *nth(&profile.placements, place).expect("a placement"));
            let promised = room::capacity(layout, mig, profile) > 0;
            let free = place.is_none_or(|place| room::is_free(mig, place));
            let made = mig::create_gpu_instance(Some(layout), mig, profile.id, place);
            prop_assert_eq!(made.is_ok(), promised && free, "{:?}", made);
        }
        Action::Destroy(which) => {
            let Some(id) = nth_id(mig, *which) else { return Ok(()) };
            let empty = mig.instance(id).is_some_and(|instance| instance.compute.is_empty());
            prop_assert_eq!(mig::destroy_gpu_instance(mig, id).is_ok(), empty);
        }
        Action::CreateCompute(which, profile) => {
            let Some(id) = nth_id(mig, *which) else { return Ok(()) };
            let instance = mig.instance(id).expect("an instance");
            let gpu_profile = mig::profile_by_id(Some(layout), instance.profile).expect("a profile");
            let used = mig::used_slices(gpu_profile, instance);
            let promised = mig::compute_profile(gpu_profile, *profile)
                .is_ok_and(|profile| room::compute_capacity(instance, gpu_profile.slices, profile, used) > 0);
            let made = mig::create_compute_instance(Some(layout), mig, id, *profile, None);
            prop_assert_eq!(made.is_ok(), promised, "{:?}", made);
        }
        Action::DestroyCompute(which) => {
            let devices: Vec<_> =
                mig.devices().map(|(instance, compute)| (instance.id, compute.id)).collect();
            if let Some((id, compute)) = nth(&devices, *which) {
                prop_assert_eq!(mig::destroy_compute_instance(mig, *id, *compute), Ok(()));
            }
        }
    }
    Ok(())
}

fn nth_id(mig: &Mig, which: usize) -> Option<u32> {
    Some(nth(&mig.instances, which)?.id)
}

/// Folds `which` into the list.
fn nth<T>(list: &[T], which: usize) -> Option<&T> {
    list.get(which % list.len().max(1))
}

fn is_sound(layout: &MigLayout, mig: &Mig) -> Result<(), TestCaseError> {
    disjoint(&mig.instances.iter().map(|instance| (instance.id, instance.placement)).collect::<Vec<_>>())?;
    let mut slices = 0;
    for instance in &mig.instances {
        let profile = mig::profile_by_id(Some(layout), instance.profile).expect("a profile");
        slices += profile.slices;
        let ids = layout.instance_ids.get(&profile.memory_slices).expect("ids");
        prop_assert!(ids.contains(&instance.id));
        prop_assert!(profile.placements.contains(&instance.placement));
        prop_assert!(mig::used_slices(profile, instance) <= profile.slices);
        disjoint(
            &instance.compute.iter().map(|compute| (compute.id, compute.placement)).collect::<Vec<_>>(),
        )?;
    }
    prop_assert!(slices <= layout.max_devices, "{slices} compute slices");
    prop_assert!(mig.devices().count() <= layout.max_devices as usize);
    Ok(())
}

fn disjoint(parts: &[(u32, Placement)]) -> Result<(), TestCaseError> {
    let ids: BTreeSet<u32> = parts.iter().map(|(id, _)| *id).collect();
    prop_assert_eq!(ids.len(), parts.len(), "an id twice: {:?}", parts);
    for (at, (_, one)) in parts.iter().enumerate() {
        prop_assert!(parts.iter().take(at).all(|(_, other)| !one.overlaps(*other)), "overlap: {:?}", parts);
    }
    Ok(())
}

proptest! {
    #[test]
    fn instances_never_overlap_room_is_honest_and_destroying_gives_all_back(
        product in prop::sample::select(with_mig()),
        steps in prop::collection::vec(step(), 0..60),
    ) {
        let layout = layout(product);
        let mut mig = on();
        for step in &steps {
            perform(&layout, &mut mig, step)?;
            is_sound(&layout, &mig)?;
        }
        loop {
            let first = mig.devices().next().map(|(one, two)| (one.id, two.id));
            let Some((instance, compute)) = first else { break };
            mig::destroy_compute_instance(&mut mig, instance, compute).expect("no process");
        }
        while let Some(id) = nth_id(&mig, 0) {
            mig::destroy_gpu_instance(&mut mig, id).expect("empty");
        }
        prop_assert_eq!(&mig, &on());
        prop_assert_eq!(capacities(&layout, &mig), capacities(&layout, &on()));
    }
}
