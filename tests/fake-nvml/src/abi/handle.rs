//! Handles: what a program holds for a GPU or an instance.
//!
//! A handle is no address: it spells out which GPU (minor number) and which instance it means, so that it stays good
//! over every change of the state, in every process. What it means is looked up at each call.

use std::ptr;

/// Marks a handle of this library, so that a stray pointer is an invalid argument.
const MARK: usize = 0x0b_e7 << 32;

/// What a handle means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meaning {
    Gpu { minor: u32 },
    Mig { minor: u32, instance: u32, compute: u32 },
    Instance { minor: u32, instance: u32 },
    Compute { minor: u32, instance: u32, compute: u32 },
}

macro_rules! handles {
    ($($name:ident, $pointee:ident, $doc:literal;)*) => {$(
        #[doc = $doc]
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[repr(transparent)]
        pub struct $name(usize);

        impl $name {
            pub(super) fn new(meaning: Meaning) -> Self {
                Self(encode(meaning))
            }

            pub(super) fn meaning(self) -> Option<Meaning> {
                decode(self.0)
            }

            /// As it stands in a struct of NVML.
            #[must_use]
            pub fn to_pointer(self) -> *mut nvml_wrapper_sys::bindings::$pointee {
                ptr::without_provenance_mut(self.0)
            }

            /// From a struct of NVML.
            #[must_use]
            pub fn from_pointer(pointer: *mut nvml_wrapper_sys::bindings::$pointee) -> Self {
                Self(pointer.addr())
            }
        }
    )*};
}

handles! {
    Device, nvmlDevice_st, "`nvmlDevice_t`: a GPU or a MIG device.";
    GpuInstanceHandle, nvmlGpuInstance_st, "`nvmlGpuInstance_t`.";
    ComputeInstanceHandle, nvmlComputeInstance_st, "`nvmlComputeInstance_t`.";
}

impl GpuInstanceHandle {
    /// Of the GPU instance `instance` of the GPU `minor`.
    pub(super) fn of(minor: u32, instance: u32) -> Self {
        Self::new(Meaning::Instance { minor, instance })
    }
}

impl ComputeInstanceHandle {
    /// Of the compute instance `compute` in the GPU instance `instance` of the GPU `minor`.
    pub(super) fn of(minor: u32, instance: u32, compute: u32) -> Self {
        Self::new(Meaning::Compute { minor, instance, compute })
    }
}

impl Device {
    /// Of the whole GPU `minor`.
    pub(super) fn of_gpu(minor: u32) -> Self {
        Self::new(Meaning::Gpu { minor })
    }
}

impl Default for Device {
    /// A handle of nothing.
    fn default() -> Self {
        Self(0)
    }
}

fn encode(meaning: Meaning) -> usize {
    let (kind, minor, instance, compute) = match meaning {
        Meaning::Gpu { minor } => (1, minor, 0, 0),
        Meaning::Mig { minor, instance, compute } => (2, minor, instance, compute),
        Meaning::Instance { minor, instance } => (3, minor, instance, 0),
        Meaning::Compute { minor, instance, compute } => (4, minor, instance, compute),
    };
    let parts = [(kind, 28), (minor & 0xfff, 16), (instance & 0xff, 8), (compute & 0xff, 0)];
    parts.iter().fold(MARK, |handle, (part, shift)| handle | usize::try_from(*part).unwrap_or(0) << shift)
}

fn decode(handle: usize) -> Option<Meaning> {
    let part = |shift: u32, mask: usize| u32::try_from(handle >> shift & mask).unwrap_or(0);
    let (minor, instance, compute) = (part(16, 0xfff), part(8, 0xff), part(0, 0xff));
    let meaning = match part(28, 0xf) {
        1 => Meaning::Gpu { minor },
        2 => Meaning::Mig { minor, instance, compute },
        3 => Meaning::Instance { minor, instance },
        4 => Meaning::Compute { minor, instance, compute },
        _ => return None,
    };
    (encode(meaning) == handle).then_some(meaning)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_handle_means_what_it_was_made_for(kind in 0..4, minor in 0u32..4096, instance in 0u32..15, compute in 0u32..8) {
            let meaning = match kind {
                0 => Meaning::Gpu { minor },
                1 => Meaning::Mig { minor, instance, compute },
                2 => Meaning::Instance { minor, instance },
                _ => Meaning::Compute { minor, instance, compute },
            };
            prop_assert_eq!(decode(encode(meaning)), Some(meaning));
        }

        #[test]
        fn a_stray_pointer_means_nothing(stray in 0usize..0x0b_e000_0000) {
            prop_assert_eq!(decode(stray), None);
        }
    }
}
