//! The node as one call sees it: handles turned into what they mean.

use berth_allocator::ids::PciAddress;
use nix::unistd::geteuid;

use super::{
    code::{Answer, Code},
    handle::{ComputeInstanceHandle, Device, GpuInstanceHandle, Meaning},
    visible::Eyes,
};
use crate::{
    mig::{self, ComputeInstance, GpuInstance},
    profiles::{ComputeProfile, GpuProfile, MigLayout, Product},
    state::{Gpu, GpuFault, Options, State, Store},
};

/// The node at the moment of a call.
#[derive(Debug)]
pub struct Node {
    /// Where it was read from.
    pub store: Store,
    /// All there is.
    pub state: State,
    /// Minor numbers of the GPUs that this process sees, in the order of NVML's index.
    seen: Vec<u32>,
    eyes: Eyes,
}

/// A whole GPU.
#[derive(Debug, Clone, Copy)]
pub struct Whole<'a> {
    /// Its state.
    pub gpu: &'a Gpu,
    /// What it is.
    pub product: &'a Product,
}

/// A GPU instance.
#[derive(Debug, Clone, Copy)]
pub struct Part<'a> {
    /// The GPU that it is part of.
    pub whole: Whole<'a>,
    /// Its state.
    pub instance: &'a GpuInstance,
    /// What it is.
    pub profile: &'a GpuProfile,
}

/// A compute instance: a MIG device.
#[derive(Debug, Clone, Copy)]
pub struct Slice<'a> {
    /// The GPU instance that it is part of.
    pub part: Part<'a>,
    /// Its state.
    pub compute: &'a ComputeInstance,
    /// What it is.
    pub profile: &'a ComputeProfile,
}

/// What a device handle may mean.
#[derive(Debug, Clone, Copy)]
pub enum Target<'a> {
    /// A whole GPU.
    Whole(Whole<'a>),
    /// A MIG device.
    Slice(Slice<'a>),
}

impl<'a> Whole<'a> {
    /// How it is cut.
    ///
    /// # Errors
    /// `NOT_SUPPORTED` without MIG.
    pub fn layout(self) -> Answer<&'a MigLayout> {
        self.product.mig.as_ref().ok_or(Code::NOT_SUPPORTED)
    }
}

impl<'a> Target<'a> {
    /// The GPU, whole or parent.
    #[must_use]
    pub fn whole(self) -> Whole<'a> {
        match self {
            Self::Whole(whole) => whole,
            Self::Slice(slice) => slice.part.whole,
        }
    }
}

impl Slice<'_> {
    /// `MIG-...`.
    #[must_use]
    pub fn uuid(&self) -> String {
        mig::device_uuid(&self.part.whole.gpu.uuid.to_string(), self.part.instance.id, self.compute.id)
    }
}

impl Node {
    /// The node as this process sees it.
    #[must_use]
    pub fn new(store: Store, state: State) -> Self {
        let eyes = Eyes::of(&state);
        let counted = state.gpus.iter().filter(|gpu| gpu.is_counted() && eyes.see(gpu));
        Self { seen: counted.map(|gpu| gpu.minor).collect(), store, state, eyes }
    }

    /// The GPUs that this process sees, in the order of NVML's index.
    pub fn gpus(&self) -> impl Iterator<Item = &Gpu> {
        self.seen.iter().filter_map(|minor| self.state.gpu(*minor))
    }

    /// NVML's index of `gpu`.
    ///
    /// # Errors
    /// `GPU_IS_LOST` when it is no longer counted.
    pub fn index(&self, gpu: &Gpu) -> Answer<u32> {
        let index = self.seen.iter().position(|minor| *minor == gpu.minor);
        index.and_then(|index| u32::try_from(index).ok()).ok_or(Code::GPU_IS_LOST)
    }

    /// The handle of `gpu`.
    ///
    /// # Errors
    /// `GPU_IS_LOST` when it fell off the bus.
    pub fn handle(&self, gpu: &Gpu) -> Answer<Device> {
        match gpu.fault {
            GpuFault::FallenOff | GpuFault::Removed => Err(Code::GPU_IS_LOST),
            GpuFault::None | GpuFault::Lost | GpuFault::ResetRequired => {
                Ok(Device::new(Meaning::Gpu { minor: gpu.minor }))
            }
        }
    }

    /// The GPU at an address.
    ///
    /// # Errors
    /// `NOT_FOUND`.
    pub fn at(&self, pci: PciAddress) -> Answer<&Gpu> {
        self.gpus().find(|gpu| gpu.pci == pci).ok_or(Code::NOT_FOUND)
    }

    /// The MIG devices of `gpu` that this process sees, in the order of NVML's MIG index.
    pub fn mig_devices<'a>(&'a self, whole: Whole<'a>) -> impl Iterator<Item = Slice<'a>> {
        let devices = whole.gpu.mig.devices();
        let seen =
            devices.filter(move |(instance, compute)| self.eyes.see_part(whole.gpu, instance.id, compute.id));
        seen.filter_map(move |(instance, compute)| slice(part(whole, instance).ok()?, compute).ok())
    }

    /// Handle of a MIG device.
    #[must_use]
    pub fn mig_handle(&self, slice: &Slice<'_>) -> Device {
        let (minor, instance) = (slice.part.whole.gpu.minor, slice.part.instance.id);
        Device::new(Meaning::Mig { minor, instance, compute: slice.compute.id })
    }

    /// Handle of a GPU instance.
    #[must_use]
    pub fn part_handle(&self, part: &Part<'_>) -> GpuInstanceHandle {
        GpuInstanceHandle::of(part.whole.gpu.minor, part.instance.id)
    }

    /// Handle of a compute instance.
    #[must_use]
    pub fn slice_handle(&self, slice: &Slice<'_>) -> ComputeInstanceHandle {
        ComputeInstanceHandle::of(slice.part.whole.gpu.minor, slice.part.instance.id, slice.compute.id)
    }

    /// What a device handle means.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` for no handle of this library, `GPU_IS_LOST`, `NOT_FOUND` for an instance that is gone.
    pub fn target(&self, device: Device) -> Answer<Target<'_>> {
        match device.meaning() {
            Some(Meaning::Gpu { minor }) => self.well(minor).map(Target::Whole),
            Some(Meaning::Mig { minor, instance, compute }) => {
                self.find_slice(minor, instance, compute).map(Target::Slice)
            }
            Some(Meaning::Instance { .. } | Meaning::Compute { .. }) | None => Err(Code::INVALID_ARGUMENT),
        }
    }

    /// A whole GPU.
    ///
    /// # Errors
    /// As [`Node::target`]; `NOT_SUPPORTED` for a MIG device.
    pub fn whole(&self, device: Device) -> Answer<Whole<'_>> {
        match self.target(device)? {
            Target::Whole(whole) => Ok(whole),
            Target::Slice(_) => Err(Code::NOT_SUPPORTED),
        }
    }

    /// A MIG device.
    ///
    /// # Errors
    /// As [`Node::target`]; `INVALID_ARGUMENT` for a whole GPU.
    pub fn mig_device(&self, device: Device) -> Answer<Slice<'_>> {
        match self.target(device)? {
            Target::Slice(slice) => Ok(slice),
            Target::Whole(_) => Err(Code::INVALID_ARGUMENT),
        }
    }

    /// A GPU instance.
    ///
    /// # Errors
    /// As [`Node::target`].
    pub fn part(&self, handle: GpuInstanceHandle) -> Answer<Part<'_>> {
        let Some(Meaning::Instance { minor, instance }) = handle.meaning() else {
            return Err(Code::INVALID_ARGUMENT);
        };
        self.find_part(minor, instance)
    }

    /// A compute instance.
    ///
    /// # Errors
    /// As [`Node::target`].
    pub fn slice(&self, handle: ComputeInstanceHandle) -> Answer<Slice<'_>> {
        let Some(Meaning::Compute { minor, instance, compute }) = handle.meaning() else {
            return Err(Code::INVALID_ARGUMENT);
        };
        self.find_slice(minor, instance, compute)
    }

    /// The GPU instance with `id` of the GPU `whole`.
    ///
    /// # Errors
    /// `NOT_FOUND`.
    pub fn part_of<'a>(&self, whole: Whole<'a>, id: u32) -> Answer<Part<'a>> {
        part(whole, whole.gpu.mig.instance(id).ok_or(Code::NOT_FOUND)?)
    }

    /// The compute instance with `id` of the GPU instance `part`.
    ///
    /// # Errors
    /// `NOT_FOUND`.
    pub fn slice_of<'a>(&self, part: Part<'a>, id: u32) -> Answer<Slice<'a>> {
        slice(part, part.instance.compute.iter().find(|compute| compute.id == id).ok_or(Code::NOT_FOUND)?)
    }

    fn find_part(&self, minor: u32, instance: u32) -> Answer<Part<'_>> {
        self.part_of(self.well(minor)?, instance)
    }

    fn find_slice(&self, minor: u32, instance: u32, compute: u32) -> Answer<Slice<'_>> {
        self.slice_of(self.find_part(minor, instance)?, compute)
    }

    fn well(&self, minor: u32) -> Answer<Whole<'_>> {
        let gpu = self.state.gpu(minor).ok_or(Code::INVALID_ARGUMENT)?;
        is_well(gpu)?;
        let product = self.state.product(gpu).ok_or(Code::UNKNOWN)?;
        Ok(Whole { gpu, product })
    }

    /// Changes a GPU, for all processes.
    ///
    /// # Errors
    /// `NO_PERMISSION` for a caller that is not root; `GPU_IS_LOST`; what `change` answers, with nothing changed.
    pub fn change<T>(&self, minor: u32, change: impl FnOnce(&mut Gpu, &Product) -> Answer<T>) -> Answer<T> {
        self.may_change()?;
        Ok(self.store.update(|state| {
            let (gpu, product) = state.gpu_mut(minor).ok_or(Code::INVALID_ARGUMENT)?;
            is_well(gpu)?;
            change(gpu, product)
        })?)
    }

    /// Changes a GPU in a way that cannot be refused.
    ///
    /// # Errors
    /// As [`Node::change`].
    pub fn set(&self, minor: u32, set: impl FnOnce(&mut Gpu)) -> Answer {
        self.change(minor, |gpu, _| {
            set(gpu);
            Ok(())
        })
    }

    /// Whether this process may change the node.
    ///
    /// # Errors
    /// `NO_PERMISSION`.
    pub fn may_change(&self) -> Answer {
        may_change(&self.state.options, geteuid().is_root())
    }
}

fn may_change(options: &Options, root: bool) -> Answer {
    if root || options.anyone_may_change { Ok(()) } else { Err(Code::NO_PERMISSION) }
}

fn is_well(gpu: &Gpu) -> Answer {
    match gpu.fault {
        GpuFault::None | GpuFault::ResetRequired => Ok(()),
        GpuFault::Lost | GpuFault::FallenOff | GpuFault::Removed => Err(Code::GPU_IS_LOST),
    }
}

fn part<'a>(whole: Whole<'a>, instance: &'a GpuInstance) -> Answer<Part<'a>> {
    let profile = mig::profile_by_id(whole.product.mig.as_ref(), instance.profile)?;
    Ok(Part { whole, instance, profile })
}

fn slice<'a>(part: Part<'a>, compute: &'a ComputeInstance) -> Answer<Slice<'a>> {
    let profile = mig::compute_profile(part.profile, compute.profile)?;
    Ok(Slice { part, compute, profile })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_root_changes_a_node_unless_the_node_says_otherwise() {
        let open = Options { anyone_may_change: true, ..Options::default() };
        assert_eq!(may_change(&Options::default(), false), Err(Code::NO_PERMISSION));
        assert_eq!(may_change(&Options::default(), true), Ok(()));
        assert_eq!(may_change(&open, false), Ok(()));
    }
}
