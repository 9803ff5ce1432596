//! UUIDs that are the same each time: of a board by its place, of a MIG device by its parent and ids.

use berth_allocator::ids::PciAddress;

/// UUID of the board in the slot `pci` of a node: `GPU-...`.
#[must_use]
pub fn gpu_uuid(product: &str, pci: PciAddress) -> String {
    format!("GPU-{}", digits(&format!("{product}/{pci}")))
}

/// UUID of the MIG device of compute instance `compute` in GPU instance `instance`: `MIG-...`.
#[must_use]
pub fn device_uuid(gpu: &str, instance: u32, compute: u32) -> String {
    format!("MIG-{}", digits(&format!("{gpu}/{instance}/{compute}")))
}

fn digits(seed: &str) -> String {
    let (high, low) = (mix(fnv(seed, 0)), mix(fnv(seed, 1)));
    // Version 5 and variant 1 in their places (RFC 9562): tools that check find a name-based UUID.
    let high = high & !0xf000 | 0x5000;
    let low = low & !(0b11 << 62) | 0b10 << 62;
    format!(
        "{:08x}-{:04x}-{:04x}-{:04x}-{:012x}",
        high >> 32,
        high >> 16 & 0xffff,
        high & 0xffff,
        low >> 48,
        low & 0xffff_ffff_ffff
    )
}

/// FNV-1a, 64 bits, from one of two offsets.
fn fnv(seed: &str, which: u64) -> u64 {
    let start = 0xcbf2_9ce4_8422_2325_u64.wrapping_add(which);
    seed.bytes().fold(start, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// The finish of splitmix64: seeds that differ in one character differ in all digits.
fn mix(value: u64) -> u64 {
    let value = (value ^ value >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ value >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ value >> 31
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use berth_allocator::ids::{GpuUuid, MigUuid};

    use super::*;

    #[test]
    fn uuids_are_well_formed_distinct_and_the_same_each_time() {
        let mut seen = BTreeSet::new();
        for bus in 0..16 {
            let pci = format!("0000:{bus:02x}:00.0").parse().expect("an address");
            let gpu = gpu_uuid("h200-141gb", pci);
            gpu.parse::<GpuUuid>().expect("a uuid");
            assert_eq!(gpu, gpu_uuid("h200-141gb", pci));
            for (instance, compute) in
                (0..15).flat_map(|instance| (0..8).map(move |compute| (instance, compute)))
            {
                let mig = device_uuid(&gpu, instance, compute);
                mig.parse::<MigUuid>().expect("a uuid");
                assert!(seen.insert(mig));
            }
        }
    }
}
