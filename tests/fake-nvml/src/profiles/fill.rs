//! From what was seen to what is answered: the gaps of a data file, filled from the rest of it.
//!
//! Memory of an instance: its share of the board, rounded down to 64 MiB (all that were seen are multiples of that).
//! Multiprocessors and engines: so many times those of the smallest profile. Compute placements: side by side.

use serde::{Deserialize, Deserializer};

use super::{
    AddressingMode, ComputeProfile, Engines, GpuProfile, MigLayout, Placement, Product,
    file::{ComputeRow, GpuRow, MigFile, ProductFile, SeenEngines},
};

/// `NVML_BRAND_GEFORCE`: boards whose error correction is there but off until someone asks for it.
const GEFORCE: u32 = 5;

/// A field that says nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{field} is {text:?}, wants {wanted}")]
pub struct Broken {
    field: &'static str,
    text: String,
    wanted: &'static str,
}

/// A product without gaps.
pub(super) fn product(file: ProductFile) -> Result<Product, Broken> {
    let mig = file.mig.capable.then(|| layout(&file.mig, &file));
    Ok(Product {
        compute_capability: capability(&file.cuda_compute_capability)?,
        pci_device_id: hex("nvml_pci_device_id", &file.pci.nvml_pci_device_id)?,
        pci_subsystem_id: match file.pci.nvml_pci_subsystem_ids.first() {
            Some(id) => hex("nvml_pci_subsystem_ids", id)?,
            None => 0,
        },
        pci_class: hex("class", &file.pci.class)?,
        engines: file.engines_full_gpu.and_then(whole_engines),
        name: file.name,
        brand: file.brand.number,
        architecture: file.architecture.number,
        chip: file.chip,
        memory_mib: file.memory.total_mib,
        bar1_mib: file.memory.bar1_mib,
        multiprocessors: file.multiprocessors,
        addressing_mode: file.addressing_mode,
        coherent: file.coherent_c2c,
        ecc: file.ecc.map(|on| on && file.brand.number != GEFORCE),
        nvlink_links: file.nvlink_links.unwrap_or(0),
        fabric: file.fabric_state.is_some(),
        baseline: file.baseline,
        mig,
    })
}

/// Reads `HMM`, `ATS`, `NONE` or nothing.
pub(super) fn addressing_mode<'de, D: Deserializer<'de>>(
    from: D,
) -> Result<Option<AddressingMode>, D::Error> {
    Ok(match Option::<String>::deserialize(from)?.as_deref() {
        Some("HMM") => Some(AddressingMode::Hmm),
        Some("ATS") => Some(AddressingMode::Ats),
        Some(_) => Some(AddressingMode::None),
        None => None,
    })
}

fn hex(field: &'static str, text: &str) -> Result<u32, Broken> {
    let digits = text.strip_prefix("0x").and_then(|digits| u32::from_str_radix(digits, 16).ok());
    digits.ok_or_else(|| Broken { field, text: text.into(), wanted: "a hexadecimal number with 0x" })
}

fn capability(text: &str) -> Result<(u32, u32), Broken> {
    let parts =
        text.split_once('.').and_then(|(major, minor)| Some((major.parse().ok()?, minor.parse().ok()?)));
    parts.ok_or_else(|| Broken {
        field: "cuda_compute_capability",
        text: text.into(),
        wanted: "two numbers with a dot between",
    })
}

fn whole_engines(seen: SeenEngines) -> Option<Engines> {
    let SeenEngines { copy, decoder, encoder, jpeg, ofa } = seen;
    Some(Engines { copy: copy?, decoder: decoder?, encoder: encoder?, jpeg: jpeg?, ofa: ofa? })
}

fn layout(mig: &MigFile, file: &ProductFile) -> MigLayout {
    let smallest = mig.gpu_instance_profiles.iter().find(|row| row.slice_count == 1);
    let board = Board {
        memory_mib: file.memory.total_mib,
        memory_slices: u64::from(mig.memory_slices.max(1)),
        slice_multiprocessors: smallest
            .and_then(|row| row.multiprocessors)
            .unwrap_or(file.multiprocessors / 8),
        slice_engines: smallest.and_then(|row| row.engines).unwrap_or_default(),
    };
    MigLayout {
        max_devices: mig.max_devices,
        memory_slices: mig.memory_slices,
        mode_needs_reset: mig.mode_change_needs_gpu_reset,
        instance_ids: mig.instance_ids_by_memory_slices.clone(),
        profiles: mig.gpu_instance_profiles.iter().map(|row| board.gpu_profile(row)).collect(),
    }
}

/// What gaps are filled from.
struct Board {
    memory_mib: u64,
    memory_slices: u64,
    slice_multiprocessors: u32,
    slice_engines: SeenEngines,
}

impl Board {
    fn gpu_profile(&self, row: &GpuRow) -> GpuProfile {
        let share = self.memory_mib * u64::from(row.memory_slices) / self.memory_slices;
        let multiprocessors = row.multiprocessors.unwrap_or(row.slice_count * self.slice_multiprocessors);
        GpuProfile {
            number: row.enum_number,
            id: row.profile_id,
            name: row.name.clone(),
            slices: row.slice_count,
            memory_slices: row.memory_slices,
            max_instances: row.max_instances,
            memory_mb: row.memory_mb.unwrap_or(share / 64 * 64),
            multiprocessors,
            engines: self.engines(row.engines.unwrap_or_default(), row.slice_count),
            graphics: row.capabilities.iter().any(|capability| capability == "GFX"),
            placements: row.placements.clone(),
            compute: row
                .compute_instance_profiles
                .iter()
                .map(|compute| compute_profile(compute, multiprocessors, row))
                .collect(),
        }
    }

    fn engines(&self, seen: SeenEngines, slices: u32) -> Engines {
        let fill =
            |seen: Option<u32>, slice: Option<u32>| seen.or_else(|| Some(slice? * slices)).unwrap_or(0);
        let slice = self.slice_engines;
        Engines {
            copy: fill(seen.copy, slice.copy.or(Some(1))),
            decoder: fill(seen.decoder, slice.decoder.or(Some(1))),
            encoder: fill(seen.encoder, slice.encoder),
            jpeg: fill(seen.jpeg, slice.jpeg.or(Some(1))),
            ofa: fill(seen.ofa, slice.ofa),
        }
    }
}

fn compute_profile(row: &ComputeRow, whole: u32, gpu: &GpuRow) -> ComputeProfile {
    let share = whole * row.slice_count / gpu.slice_count.max(1);
    ComputeProfile {
        id: row.profile_id,
        name: row.name.clone().unwrap_or_else(|| compute_name(row, gpu)),
        slices: row.slice_count,
        max_instances: row.max_instances,
        multiprocessors: row.multiprocessors.unwrap_or(share),
        placements: row.placements.clone().unwrap_or_else(|| side_by_side(row, gpu.slice_count)),
    }
}

/// `1c.3g.20gb`, or the plain name of the GPU instance for what fills it.
fn compute_name(row: &ComputeRow, gpu: &GpuRow) -> String {
    match row.slice_count {
        slices if slices == gpu.slice_count => gpu.name.clone(),
        slices => format!("{slices}c.{}", gpu.name),
    }
}

fn side_by_side(row: &ComputeRow, slices: u32) -> Vec<Placement> {
    let size = row.slice_count.max(1);
    let starts = (0..row.max_instances).map(|place| place * size);
    starts.filter(|start| start + size <= slices).map(|start| Placement { start, size }).collect()
}
