//! Texts of return codes, as NVIDIA's library gives them: programs print them and people search for them.

use std::ffi::CStr;

use nvml_wrapper_sys::bindings::nvmlReturn_t;

/// The text for `code`.
pub(super) fn of(code: nvmlReturn_t) -> &'static CStr {
    match code {
        0 => c"Success",
        1 => c"Uninitialized",
        2 => c"Invalid Argument",
        3 => c"Not Supported",
        4 => c"Insufficient Permissions",
        5 => c"Already Initialized",
        6 => c"Not Found",
        7 => c"Insufficient Size",
        8 => c"Insufficient External Power",
        9 => c"Driver Not Loaded",
        10 => c"Timeout",
        11 => c"Interrupt Request Issue",
        12 => c"NVML Shared Library Not Found",
        13 => c"Function Not Found",
        14 => c"Corrupted infoROM",
        15 => c"GPU is lost",
        16 => c"GPU requires reset",
        17 => c"GPU access blocked by the operating system",
        18 => c"Driver/library version mismatch",
        19 => c"In use by another client",
        20 => c"Insufficient Memory",
        21 => c"No data",
        22 => c"Operation is not available on target vGPU, because ECC is enabled",
        23 | 24 => c"Insufficient Resources",
        25 => c"Argument version mismatch",
        26 => c"Deprecated",
        27 => c"Not Ready",
        28 => c"GPU Not Found",
        29 => c"Invalid State",
        30 => c"Reset Type Not Supported",
        _ => c"Unknown Error",
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    #[test]
    fn every_code_of_the_table_has_a_text() {
        let table: Value =
            serde_json::from_str(include_str!("../../data/nvml-errors.json")).expect("a table");
        let codes = table["errors"].as_array().expect("a list");
        assert_eq!(codes.len(), 32);
        for code in codes {
            let number =
                code["number"].as_u64().and_then(|number| u32::try_from(number).ok()).expect("a number");
            assert_eq!(of(number) == c"Unknown Error", number == 999, "{code}");
        }
    }
}
