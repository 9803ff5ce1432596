//! The products there are, by key.

use super::{
    Product,
    file::ProductFile,
    fill::{self, Broken},
};

macro_rules! products {
    ($($key:literal),* $(,)?) => {
        /// Keys of all products, each a file of `data/products/`.
        pub const PRODUCTS: &[&str] = &[$($key),*];

        fn text(key: &str) -> Option<&'static str> {
            match key {
                $($key => Some(include_str!(concat!("../../data/products/", $key, ".json"))),)*
                _ => None,
            }
        }
    };
}

products![
    "a10",
    "a100-sxm4-40gb",
    "a100-sxm4-80gb",
    "a30",
    "b200",
    "b300",
    "gb200",
    "gb300",
    "gh200-96gb",
    "h100-nvl",
    "h100-pcie",
    "h100-sxm-80gb",
    "h200-141gb",
    "l4",
    "l40s",
    "rtx-4090",
    "rtx-pro-6000-blackwell-server",
    "t4",
    "v100-sxm2-32gb",
];

/// Why a product cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum ProductError {
    /// No file has this key.
    #[error("no product {0:?}; choose one of {list}", list = PRODUCTS.join(", "))]
    Unknown(String),
    /// The file is no product.
    #[error("data/products/{0}.json is not of the catalogue's form; correct the file")]
    Form(String, #[source] serde_json::Error),
    /// A field of the file says nothing.
    #[error("data/products/{0}.json cannot be used; correct the file")]
    Content(String, #[source] Broken),
}

/// The product with `key`, such as `h200-141gb`.
///
/// # Errors
/// [`ProductError::Unknown`] lists the keys there are; the others are faults of a data file.
pub fn find(key: &str) -> Result<Product, ProductError> {
    let text = text(key).ok_or_else(|| ProductError::Unknown(key.into()))?;
    let file: ProductFile =
        serde_json::from_str(text).map_err(|source| ProductError::Form(key.into(), source))?;
    fill::product(file).map_err(|source| ProductError::Content(key.into(), source))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_a_product() {
        for key in PRODUCTS {
            let product = find(key).unwrap_or_else(|error| panic!("{key}: {error:?}"));
            assert!(!product.name.is_empty(), "{key}");
        }
    }

    #[test]
    fn an_unknown_key_names_those_there_are() {
        let error = find("h300").expect_err("no such board");
        assert!(
            error.to_string().starts_with("no product \"h300\"; choose one of a10, a100-sxm4-40gb"),
            "{error}"
        );
    }

    #[test]
    fn every_profile_fits_its_board() {
        for key in PRODUCTS {
            let product = find(key).expect("a product");
            let Some(mig) = product.mig else { continue };
            for profile in &mig.profiles {
                let name = format!("{key} {}", profile.name);
                assert!(profile.memory_mb > 0 && profile.memory_mb <= product.memory_mib, "{name}");
                assert_eq!(profile.memory_mb % 64, 0, "{name}");
                assert!(mig.instance_ids.contains_key(&profile.memory_slices), "{name}");
                assert!(!profile.compute.is_empty() && !profile.placements.is_empty(), "{name}");
                for place in &profile.placements {
                    assert!(place.start + place.size <= mig.memory_slices, "{name}");
                }
                for compute in &profile.compute {
                    assert!(!compute.placements.is_empty() && compute.multiprocessors > 0, "{name}");
                }
            }
        }
    }
}
