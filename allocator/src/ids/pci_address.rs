//! PCI addresses as the kernel writes them under `/sys/bus/pci/devices`.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

/// Domain, bus, device and function; shown as `0000:3b:00.0`.
///
/// NVML writes the domain with eight digits (`00000000:3B:00.0`): both forms are read, one is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct PciAddress {
    domain: u32,
    bus: u8,
    device: u8,
    function: u8,
}

/// Why a string is no [`PciAddress`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("pci address {0:?} is not of the form 0000:3b:00.0")]
pub struct PciAddressError(String);

impl FromStr for PciAddress {
    type Err = PciAddressError;

    fn from_str(text: &str) -> Result<Self, PciAddressError> {
        parse(text).ok_or_else(|| PciAddressError(text.into()))
    }
}

fn parse(text: &str) -> Option<PciAddress> {
    let (domain, rest) = text.split_once(':')?;
    let (bus, rest) = rest.split_once(':')?;
    let (device, function) = rest.split_once('.')?;
    let address = PciAddress {
        domain: hex(domain, 4..=8)?,
        bus: u8::try_from(hex(bus, 2..=2)?).ok()?,
        device: u8::try_from(hex(device, 2..=2)?).ok()?,
        function: u8::try_from(hex(function, 1..=1)?).ok()?,
    };
    (address.device < 32 && address.function < 8).then_some(address)
}

fn hex(digits: &str, length: std::ops::RangeInclusive<usize>) -> Option<u32> {
    let plain = length.contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    plain.then(|| u32::from_str_radix(digits, 16).ok())?
}

impl fmt::Display for PciAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { domain, bus, device, function } = self;
        write!(f, "{domain:04x}:{bus:02x}:{device:02x}.{function:x}")
    }
}

impl From<PciAddress> for String {
    fn from(address: PciAddress) -> Self {
        address.to_string()
    }
}

impl TryFrom<String> for PciAddress {
    type Error = PciAddressError;

    fn try_from(text: String) -> Result<Self, PciAddressError> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_form_of_nvml_and_the_form_of_the_kernel_are_one_address() {
        for text in ["00000000:3B:00.0", "0000:3b:00.0"] {
            assert_eq!(text.parse::<PciAddress>().expect("an address").to_string(), "0000:3b:00.0");
        }
    }

    #[test]
    fn what_could_leave_a_folder_or_is_no_address_is_refused() {
        for text in
            ["", "..", "0000:3b:00", "0000:3b:20.0", "0000:3b:00.8", "0000:+b:00.0", "0000:3b:00.0/.."]
        {
            assert_eq!(text.parse::<PciAddress>(), Err(PciAddressError(text.into())), "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn what_is_shown_is_read_back(domain in 0u32.., bus: u8, device in 0u8..32, function in 0u8..8) {
            let address = PciAddress { domain, bus, device, function };
            prop_assert_eq!(address.to_string().parse(), Ok(address));
        }

        #[test]
        fn any_text_is_answered(text in ".*") {
            drop(text.parse::<PciAddress>());
        }
    }
}
