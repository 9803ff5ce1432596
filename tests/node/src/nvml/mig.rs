//! Changes of a GPU's MIG side, as an administrator makes them with nvidia-smi.

use std::str::FromStr;

use berth_fake_nvml::{
    mig::{self, Change, MigError},
    profiles::{GpuProfile, Placement, Product},
    state::{Gpu, State},
};

/// A change of one GPU. GPUs go by minor: N of `/dev/nvidiaN`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MigChange {
    /// Turn the mode on, with the reset that older boards need.
    Enable,
    /// Destroy all instances and turn the mode off.
    Disable,
    /// Make a GPU instance, and in it a compute instance of full size.
    Create(InstanceRequest),
    /// Destroy a GPU instance and what is in it; `None` for all.
    Destroy(Option<u32>),
}

/// A wish for a GPU instance: `1g.10gb`, or `1g.10gb@4` at memory slice 4.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InstanceRequest {
    profile: String,
    start: Option<u32>,
}

/// A change that the GPU refuses; nothing is changed.
#[derive(Debug, thiserror::Error)]
pub enum MigRefusal {
    /// No GPU of this minor.
    #[error("there is no gpu with minor {0}")]
    NoGpu(u32),
    /// The board has no such profile.
    #[error("gpu {gpu} has no profile {profile:?}; it has {known}")]
    NoProfile {
        /// Minor of the GPU.
        gpu: u32,
        /// What was asked for.
        profile: String,
        /// What there is.
        known: String,
    },
    /// NVML's answer.
    #[error("gpu {gpu} refuses")]
    Nvml {
        /// Minor of the GPU.
        gpu: u32,
        /// Its reason.
        source: MigError,
    },
}

impl FromStr for InstanceRequest {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (profile, start) =
            text.split_once('@').map_or((text, None), |(profile, start)| (profile, Some(start)));
        Ok(Self { profile: profile.into(), start: start.map(str::parse).transpose()? })
    }
}

/// Makes `change` to the GPU with minor `gpu` in `state`.
///
/// # Errors
/// [`MigRefusal`]; `state` may then be half changed, and must be thrown away.
pub fn change(state: &mut State, gpu: u32, change: &MigChange) -> Result<(), MigRefusal> {
    let (found, product) = state.gpu_mut(gpu).ok_or(MigRefusal::NoGpu(gpu))?;
    let refused = |source| MigRefusal::Nvml { gpu, source };
    match change {
        MigChange::Enable => set_mode(found, product, true).map_err(refused),
        MigChange::Disable => {
            destroy(found, None).and_then(|()| set_mode(found, product, false)).map_err(refused)
        }
        MigChange::Create(request) => {
            let profile = profile(product, gpu, request)?;
            create(found, product, profile, request.start).map_err(refused)
        }
        MigChange::Destroy(instance) => destroy(found, *instance).map_err(refused),
    }
}

fn set_mode(gpu: &mut Gpu, product: &Product, on: bool) -> Result<(), MigError> {
    let changed = mig::set_mode(product.mig.as_ref(), &mut gpu.mig, on, &gpu.processes)?;
    if changed == Change::WaitsForReset {
        gpu.reset();
    }
    Ok(())
}

fn profile<'a>(
    product: &'a Product,
    gpu: u32,
    request: &InstanceRequest,
) -> Result<&'a GpuProfile, MigRefusal> {
    let profiles = product.mig.as_ref().map(|layout| layout.profiles.as_slice()).unwrap_or_default();
    profiles.iter().find(|profile| profile.name == request.profile).ok_or_else(|| MigRefusal::NoProfile {
        gpu,
        profile: request.profile.clone(),
        known: profiles.iter().map(|profile| profile.name.as_str()).collect::<Vec<_>>().join(", "),
    })
}

fn create(
    gpu: &mut Gpu,
    product: &Product,
    profile: &GpuProfile,
    start: Option<u32>,
) -> Result<(), MigError> {
    let layout = product.mig.as_ref();
    let place = start.map(|start| Placement { start, size: profile.memory_slices });
    let id = mig::create_gpu_instance(layout, &mut gpu.mig, profile.id, place)?;
    let full = profile.compute.iter().find(|compute| compute.name == profile.name);
    let full = full.or_else(|| profile.compute.last()).ok_or(MigError::NotSupported)?;
    mig::create_compute_instance(layout, &mut gpu.mig, id, full.id, None).map(drop)
}

fn destroy(gpu: &mut Gpu, instance: Option<u32>) -> Result<(), MigError> {
    let all = || gpu.mig.instances.iter().map(|found| found.id).collect();
    let ids: Vec<u32> = instance.map_or_else(all, |id| vec![id]);
    for id in ids {
        let found = gpu.mig.instance(id).ok_or(MigError::NotFound)?;
        let compute: Vec<u32> = found.compute.iter().map(|compute| compute.id).collect();
        compute.into_iter().try_for_each(|ci| mig::destroy_compute_instance(&mut gpu.mig, id, ci))?;
        mig::destroy_gpu_instance(&mut gpu.mig, id)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use berth_fake_nvml::state::NodeConfig;

    use super::*;
    use crate::nvml::instances;

    fn after(product: &str, changes: &[MigChange]) -> Result<State, MigRefusal> {
        let mut state = NodeConfig::uniform(product, 1).state().expect("a state");
        changes.iter().try_for_each(|one| change(&mut state, 0, one))?;
        Ok(state)
    }

    fn create(text: &str) -> MigChange {
        MigChange::Create(text.parse().expect("a wish"))
    }

    #[test]
    fn an_ampere_board_is_reset_so_that_the_mode_is_on_at_once() {
        let state = after("a100-sxm4-40gb", &[MigChange::Enable, create("1g.5gb@4")]).expect("changes");
        let numbers: Vec<u32> = instances(&state).into_iter().map(crate::machine::Instance::minor).collect();
        assert_eq!(numbers, [66, 67], "gpu instance 7 and its compute instance 0");
        assert_eq!(state.gpus[0].mig.instances[0].placement.start, 4);
    }

    #[test]
    fn disable_leaves_no_instance_behind() {
        let changes = [MigChange::Enable, create("1g.18gb"), create("3g.71gb"), MigChange::Disable];
        let state = after("h200-141gb", &changes).expect("changes");
        assert!(instances(&state).is_empty() && !state.gpus[0].mig.enabled);
    }

    #[test]
    fn what_cannot_be_is_refused_with_what_can() {
        let error = after("h200-141gb", &[MigChange::Enable, create("1g.5gb")]).expect_err("no profile");
        assert!(error.to_string().starts_with("gpu 0 has no profile \"1g.5gb\"; it has 1g.18gb"), "{error}");
        after("t4", &[MigChange::Enable]).expect_err("no mig");
        after("h200-141gb", &[MigChange::Enable, MigChange::Destroy(Some(3))]).expect_err("no instance");
    }
}
