//! GPU products: what the PCI bus and the driver's /proc files say of a board.

use std::str::FromStr;

/// A GPU product, from the table `data/products.tsv`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Product {
    /// Its key, as on the command line: `h100-sxm-80gb`.
    pub key: &'static str,
    /// Its name in NVML.
    pub name: &'static str,
    /// PCI device id.
    pub device_id: u16,
    /// PCI class and subclass.
    pub class: u16,
    /// True if the board can be divided.
    pub mig: bool,
}

/// A name that is no product, or several.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("gpu {name:?} is not one of {known}")]
pub struct UnknownProduct {
    name: String,
    known: String,
}

/// All products.
pub(crate) fn all() -> impl Iterator<Item = Product> {
    include_str!("../../data/products.tsv").lines().filter(|line| !line.starts_with('#')).filter_map(row)
}

fn row(line: &'static str) -> Option<Product> {
    let mut fields = line.split('\t');
    Some(Product {
        key: fields.next()?,
        name: fields.next()?,
        device_id: u16::from_str_radix(fields.next()?, 16).ok()?,
        class: u16::from_str_radix(fields.next()?, 16).ok()?,
        mig: fields.next()? == "yes",
    })
}

impl FromStr for Product {
    type Err = UnknownProduct;

    /// By key, or by the beginning of one key alone (`h200` for `h200-141gb`).
    fn from_str(name: &str) -> Result<Self, UnknownProduct> {
        let mut begun = all().filter(|product| product.key.starts_with(name));
        let exact = all().find(|product| product.key == name);
        let alone = begun.next().filter(|_| !name.is_empty() && begun.next().is_none());
        exact.or(alone).ok_or_else(|| UnknownProduct {
            name: name.into(),
            known: all().map(|product| product.key).collect::<Vec<_>>().join(", "),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_product_is_found_by_its_key_or_by_a_beginning_that_is_its_own() {
        assert_eq!("h200".parse::<Product>().expect("one").key, "h200-141gb");
        assert_eq!("l4".parse::<Product>().expect("exact, though l40s begins so").key, "l4");
        let error = "h100".parse::<Product>().expect_err("three boards").to_string();
        assert!(error.starts_with("gpu \"h100\" is not one of a100-sxm4-40gb, "), "{error}");
    }

    #[test]
    fn every_row_of_the_table_is_read() {
        let rows = include_str!("../../data/products.tsv").lines().filter(|line| !line.starts_with('#'));
        assert_eq!(all().count(), rows.count());
    }
}
