//! Ids, checked once at the edge; nothing behind the edge checks them again.

mod pci_address;
mod uuid;

pub use pci_address::{PciAddress, PciAddressError};
pub use uuid::{GpuUuid, MigUuid, UuidError};
