//! `/proc/driver/nvidia/gpus/<address>/information`: what the kernel module says of one GPU. Pure.

use berth_allocator::{
    ids::PciAddress,
    inventory::{Coherence, Gpu, MigMode},
};

/// The GPU at `pci` as the only facts of the file tell it; its index is the caller's to give.
///
/// # Errors
/// One lower-case sentence for an operator.
pub(super) fn parse(bytes: &[u8], pci: PciAddress) -> Result<Gpu, String> {
    let text = String::from_utf8_lossy(bytes);
    let field = |name: &str| {
        let value =
            |line: &str| line.strip_prefix(name)?.strip_prefix(':').map(|value| value.trim().to_owned());
        text.lines().find_map(value)
    };
    let uuid = field("GPU UUID").unwrap_or_default();
    // Question marks stand there until something has opened the GPU.
    let uuid = uuid
        .parse()
        .map_err(|_error| format!("the driver knows no uuid of it yet ({uuid:?}); run nvidia-smi once"))?;
    let minor = field("Device Minor").and_then(|minor| minor.parse().ok());
    Ok(Gpu {
        index: 0,
        minor: minor.ok_or_else(|| "the driver gives it no minor number; look at dmesg".to_owned())?,
        uuid,
        name: field("Model").unwrap_or_default(),
        pci,
        mig_mode: MigMode::Disabled,
        mig_devices: Vec::new(),
        coherence: Coherence::Unknown,
        drm_nodes: Vec::new(),
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const TEXT: &str = "Model: \t\t NVIDIA L40S\nIRQ:   \t\t 200\nGPU UUID: \t GPU-5f3c0a10-26b9-4be7-9d05-000000000000\n\
        Bus Location: \t 0000:18:00.0\nDevice Minor: \t 3\n";

    fn pci() -> PciAddress {
        "0000:18:00.0".parse().expect("an address")
    }

    #[test]
    fn name_uuid_and_minor_are_read() {
        let gpu = parse(TEXT.as_bytes(), pci()).expect("a gpu");
        assert_eq!((&*gpu.name, gpu.minor), ("NVIDIA L40S", 3));
        assert_eq!(gpu.uuid.to_string(), "GPU-5f3c0a10-26b9-4be7-9d05-000000000000");
    }

    #[test]
    fn a_gpu_that_nobody_has_opened_is_told_with_what_to_do() {
        let text =
            TEXT.replace("5f3c0a10-26b9-4be7-9d05-000000000000", "????????-????-????-????-????????????");
        let why = parse(text.as_bytes(), pci()).expect_err("no uuid");
        assert!(why.ends_with("run nvidia-smi once"), "{why}");
        let why = parse(TEXT.replace("Device Minor", "Other").as_bytes(), pci()).expect_err("no minor");
        assert!(why.ends_with("look at dmesg"), "{why}");
    }

    proptest! {
        #[test]
        fn any_bytes_are_answered(bytes: Vec<u8>) {
            drop(parse(&bytes, pci()));
        }
    }
}
