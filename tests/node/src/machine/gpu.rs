//! The GPUs of a node.

use berth_allocator::ids::{GpuUuid, PciAddress};
use serde::{Deserialize, Serialize};

use super::{Product, UnknownProduct};

/// A GPU on the bus of a node.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gpu {
    /// Key of its product in the simulated NVML's catalogue.
    pub product: String,
    /// Its name in NVML.
    pub name: String,
    /// PCI device id.
    pub device_id: u32,
    /// PCI class and subclass.
    pub class: u32,
    /// True if the board can be divided.
    pub mig: bool,
    /// NVML's UUID.
    pub uuid: GpuUuid,
    /// N of `/dev/nvidiaN`. It stays with the GPU, while its index changes when others come and go.
    pub minor: u32,
    /// Where it sits.
    pub bus: PciAddress,
    /// NUMA node of its slot.
    pub numa: u32,
}

/// Address of a Tegra board's integrated GPU.
const INTEGRATED: &str = "0000:01:00.0";

/// GPUs that cannot be.
#[derive(Debug, thiserror::Error)]
pub enum GpuError {
    /// No such board.
    #[error(transparent)]
    Product(#[from] UnknownProduct),
    /// More GPUs than slots.
    #[error("a node has slots for {0} gpus; ask for fewer")]
    NoSlot(usize),
    /// `0xh200` and the like.
    #[error("{0:?} is not a number of gpus; write for example 8xh200")]
    Count(String),
}

impl Gpu {
    /// Makes it the integrated GPU of a Tegra board, which sits at an address of its own.
    pub(super) fn integrate(&mut self) {
        self.bus = INTEGRATED.parse().unwrap_or(self.bus);
    }

    /// N of `/dev/dri/cardN`; card 0 is the board management controller's, as in most servers.
    #[must_use]
    pub fn card(&self) -> u32 {
        self.minor + 1
    }

    /// N of `/dev/dri/renderDN`.
    #[must_use]
    pub fn render(&self) -> u32 {
        self.minor + 128
    }
}

/// Boards of a list such as `8xh200,t4`: keys, each with a count before it if not one.
///
/// # Errors
/// A count or key that is none.
pub fn parse_gpus(list: &str) -> Result<Vec<Product>, GpuError> {
    let parts = list.split(',').filter(|part| !part.is_empty()).map(repeated);
    Ok(parts.collect::<Result<Vec<_>, _>>()?.concat())
}

fn repeated(part: &str) -> Result<Vec<Product>, GpuError> {
    match part.split_once('x') {
        Some((count, key)) if !count.is_empty() && count.bytes().all(|byte| byte.is_ascii_digit()) => {
            let count = count.parse::<usize>().ok().filter(|count| (1..=slots().len()).contains(count));
            let count = count.ok_or_else(|| GpuError::Count(part.into()))?;
            Ok(vec![key.parse()?; count])
        }
        _ => Ok(vec![part.parse()?]),
    }
}

/// Puts boards into the slots that `taken` leaves, in the order of the bus.
///
/// # Errors
/// [`GpuError::NoSlot`].
pub fn place(boards: &[Product], taken: &[Gpu]) -> Result<Vec<Gpu>, GpuError> {
    let free = slots().into_iter().filter(|(minor, _)| taken.iter().all(|gpu| gpu.minor != *minor));
    let placed: Vec<Gpu> =
        free.zip(boards).filter_map(|((minor, bus), board)| gpu(minor, bus, board)).collect();
    if placed.len() == boards.len() { Ok(placed) } else { Err(GpuError::NoSlot(slots().len())) }
}

fn slots() -> Vec<(u32, PciAddress)> {
    let lines = include_str!("../../data/addresses.list").lines().filter(|line| !line.starts_with('#'));
    (0..).zip(lines.filter_map(|line| line.parse().ok())).collect()
}

fn gpu(minor: u32, bus: PciAddress, board: &Product) -> Option<Gpu> {
    let uuid = format!("GPU-{:08x}-{:04x}-4be7-9d05-{minor:012x}", 0x5f3c_0a10 + minor, board.device_id);
    let uuid: GpuUuid = uuid.parse().ok()?;
    let Product { key: product, name, device_id, class, mig } = board.clone();
    Some(Gpu { product, name, device_id, class, mig, uuid, minor, bus, numa: minor / 4 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_names_boards_with_or_without_a_count() {
        let boards = parse_gpus("2xh200,t4,rtx-4090").expect("a list");
        let keys: Vec<&str> = boards.iter().map(|board| board.key.as_str()).collect();
        assert_eq!(keys, ["h200-141gb", "h200-141gb", "t4", "rtx-4090"]);
        for wrong in ["0xh200", "17xt4", "xh200", "2x"] {
            parse_gpus(wrong).expect_err(wrong);
        }
    }

    #[test]
    fn sixteen_gpus_have_slots_and_a_freed_slot_is_taken_again() {
        let boards = parse_gpus("16xb200").expect("boards");
        let mut gpus = place(&boards, &[]).expect("slots");
        assert_eq!(gpus.last().map(|gpu| gpu.bus.to_string()).as_deref(), Some("0001:db:00.0"));
        let error = place(&parse_gpus("t4").expect("board"), &gpus).expect_err("no slot left");
        assert_eq!(error.to_string(), "a node has slots for 16 gpus; ask for fewer");
        let gone = gpus.remove(3);
        let back = place(&parse_gpus("b200").expect("board"), &gpus).expect("a slot");
        assert_eq!(back, [gone]);
    }
}
