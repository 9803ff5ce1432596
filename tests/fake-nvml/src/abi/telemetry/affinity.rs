//! Processors and memory near a GPU.

use std::{ffi::c_ulong, thread};

use crate::{
    abi::{
        Uint,
        code::{Answer, Code},
        handle::Device,
        pointer::Out,
    },
    export,
};

/// Bits of an element of a set.
const BITS: usize = c_ulong::BITS as usize;

export! {
    /// Processors near the GPU: all, since a node without GPUs says nothing of theirs.
    fn nvmlDeviceGetCpuAffinity(device: Device, elements: Uint, set: Out<c_ulong>) = node => {
        node.target(device)?;
        set.put_all(&bits(0..processors(), elements)?)
    };

    /// As above, within a NUMA node or socket.
    fn nvmlDeviceGetCpuAffinityWithinScope(device: Device, elements: Uint, set: Out<c_ulong>, _scope: Uint) = node => {
        node.target(device)?;
        set.put_all(&bits(0..processors(), elements)?)
    };

    /// NUMA nodes near the GPU.
    fn nvmlDeviceGetMemoryAffinity(device: Device, elements: Uint, set: Out<c_ulong>, _scope: Uint) = node => {
        let near = node.target(device)?.whole().gpu.numa_node.unwrap_or(0);
        let near = usize::try_from(near).unwrap_or(0);
        set.put_all(&bits(near..near + 1, elements)?)
    };
}

fn processors() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// A set of `elements` elements; what doesn't fit is left out.
fn bits(members: std::ops::Range<usize>, elements: Uint) -> Answer<Vec<c_ulong>> {
    let elements = usize::try_from(elements).ok().filter(|count| (1..=1024).contains(count));
    let elements = elements.ok_or(Code::INVALID_ARGUMENT)?;
    let element = |index: usize| {
        let within = (0..BITS).filter(|bit| members.contains(&(index * BITS + bit)));
        within.fold(0, |set, bit| set | 1 << bit)
    };
    Ok((0..elements).map(element).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_has_a_bit_for_each_member() {
        assert_eq!(bits(0..2, 1), Ok(vec![3]));
        assert_eq!(bits(64..66, 2), Ok(vec![0, 3]));
        assert_eq!(bits(0..1, 0), Err(Code::INVALID_ARGUMENT));
    }
}
