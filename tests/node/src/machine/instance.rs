//! MIG instances, by the numbers that the driver's capability files go by.

use serde::{Deserialize, Serialize};

/// A GPU instance, or a compute instance of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Instance {
    /// Minor of the GPU's node, not its index.
    pub gpu: u32,
    /// GPU instance id, 0 to 14.
    pub gi: u32,
    /// Compute instance id within the GPU instance, 0 to 7; `None` for the GPU instance itself.
    pub ci: Option<u32>,
}

/// Most GPU instance ids of one GPU.
pub(crate) const GPU_INSTANCES: u32 = 15;
/// Most compute instance ids of one GPU instance.
pub(crate) const COMPUTE_INSTANCES: u32 = 8;
/// GPUs that the driver reserves capability numbers for.
pub(crate) const GPUS: u32 = 32;

impl Instance {
    /// N of `/dev/nvidia-caps/nvidia-capN`.
    ///
    /// 1 and 2 are MIG's config and monitor; after them each GPU has 15 blocks of 9: one number for a
    /// GPU instance and 8 for its compute instances.
    #[must_use]
    pub fn minor(self) -> u32 {
        let block = 1 + COMPUTE_INSTANCES;
        3 + self.gpu * GPU_INSTANCES * block + self.gi * block + self.ci.map_or(0, |ci| 1 + ci)
    }

    /// Its path in the driver's list: `gpu0/gi7/ci0/access`.
    #[must_use]
    pub fn capability(self) -> String {
        let Self { gpu, gi, ci } = self;
        ci.map_or_else(|| format!("gpu{gpu}/gi{gi}/access"), |ci| format!("gpu{gpu}/gi{gi}/ci{ci}/access"))
    }

    /// All instances that the driver has numbers for, in the order of its list.
    pub fn all() -> impl Iterator<Item = Self> {
        let ids = (0..GPUS).flat_map(|gpu| (0..GPU_INSTANCES).map(move |gi| (gpu, gi)));
        ids.flat_map(|(gpu, gi)| {
            let whole = std::iter::once(Self { gpu, gi, ci: None });
            whole.chain((0..COMPUTE_INSTANCES).map(move |ci| Self { gpu, gi, ci: Some(ci) }))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_a_real_driver() {
        let minor = |gpu, gi, ci| Instance { gpu, gi, ci }.minor();
        assert_eq!((minor(0, 7, None), minor(0, 7, Some(0))), (66, 67));
        assert_eq!((minor(0, 0, None), minor(1, 0, None)), (3, 138));
    }

    #[test]
    fn the_list_is_gapless_from_3_on() {
        assert!(Instance::all().map(Instance::minor).eq(3..4323));
    }
}
