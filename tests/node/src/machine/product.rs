//! GPU products, by the keys of the simulated NVML's catalogue.

use std::str::FromStr;

use berth_fake_nvml::profiles::{self, PRODUCTS, ProductError};

/// What the PCI bus and the driver's /proc files say of a board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Product {
    /// Its key, as on the command line: `h100-sxm-80gb`.
    pub key: String,
    /// Its name in NVML.
    pub name: String,
    /// PCI device id.
    pub device_id: u32,
    /// PCI class and subclass.
    pub class: u32,
    /// True if the board can be divided.
    pub mig: bool,
}

/// A name that is no product, or several.
#[derive(Debug, thiserror::Error)]
pub enum UnknownProduct {
    /// Not the beginning of one key alone.
    #[error("gpu {0:?} is not one of {list}", list = PRODUCTS.join(", "))]
    Name(String),
    /// The catalogue cannot be read.
    #[error(transparent)]
    Catalogue(#[from] ProductError),
}

impl FromStr for Product {
    type Err = UnknownProduct;

    /// By key, or by the beginning of one key alone (`h200` for `h200-141gb`).
    fn from_str(name: &str) -> Result<Self, UnknownProduct> {
        let mut begun = PRODUCTS.iter().filter(|key| key.starts_with(name));
        let exact = PRODUCTS.iter().find(|key| **key == name);
        let alone = begun.next().filter(|_| !name.is_empty() && begun.next().is_none());
        let key = exact.or(alone).ok_or_else(|| UnknownProduct::Name(name.into()))?;
        let found = profiles::find(key)?;
        Ok(Self {
            key: (*key).into(),
            name: found.name,
            device_id: found.pci_device_id >> 16,
            class: found.pci_class,
            mig: found.mig.is_some(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_product_is_found_by_its_key_or_by_a_beginning_that_is_its_own() {
        let h200 = "h200".parse::<Product>().expect("one");
        assert_eq!((h200.key.as_str(), h200.device_id, h200.class), ("h200-141gb", 0x2335, 0x0302));
        assert_eq!("l4".parse::<Product>().expect("exact, though l40s begins so").key, "l4");
        let error = "h100".parse::<Product>().expect_err("three boards").to_string();
        assert!(error.starts_with("gpu \"h100\" is not one of a10, a100-sxm4-40gb, "), "{error}");
    }
}
