//! Kernel events of devices and modules, as the kernel's netlink socket gives them.
//!
//! A message is `ACTION@DEVPATH` and then `KEY=VALUE` fields, each ended by a zero byte
//! (`lib/kobject_uevent.c` of Linux).

/// Whether the event `message` can change what a spec of GPUs says.
///
/// Modules and PCI devices of NVIDIA, DRM nodes, and device files of NVIDIA's drivers and of InfiniBand.
#[must_use]
pub fn concerns_gpus(message: &[u8]) -> bool {
    let mut parts = message.split(|&byte| byte == 0);
    let device = parts.next().unwrap_or_default();
    let fields: Vec<&[u8]> = parts.collect();
    match field(&fields, b"SUBSYSTEM=") {
        Some(b"module") => contains(device, b"/module/nvidia"),
        Some(b"pci") => field(&fields, b"PCI_ID=").is_none_or(|id| id.starts_with(b"10DE:")),
        Some(b"drm" | b"infiniband_verbs") => true,
        Some(other) => other.starts_with(b"nvidia"),
        None => false,
    }
}

fn field<'a>(fields: &[&'a [u8]], key: &[u8]) -> Option<&'a [u8]> {
    fields.iter().find_map(|field| field.strip_prefix(key))
}

fn contains(text: &[u8], part: &[u8]) -> bool {
    text.windows(part.len()).any(|window| window == part)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn gpus_and_their_modules_count_and_nothing_else_does() {
        for (message, counts) in [
            ("add@/module/nvidia\0ACTION=add\0SUBSYSTEM=module\0", true),
            ("remove@/module/nvidia_uvm\0ACTION=remove\0SUBSYSTEM=module\0", true),
            ("add@/module/loop\0ACTION=add\0SUBSYSTEM=module\0", false),
            ("bind@/devices/pci0000:00/0000:00:05.0\0SUBSYSTEM=pci\0PCI_ID=10DE:2335\0", true),
            ("bind@/devices/pci0000:00/0000:00:06.0\0SUBSYSTEM=pci\0PCI_ID=8086:1533\0", false),
            ("add@/devices/pci0000:00/drm/card1\0SUBSYSTEM=drm\0DEVNAME=dri/card1\0", true),
            ("add@/devices/virtual/net/veth0\0SUBSYSTEM=net\0", false),
            ("libudev\0\u{fe}\u{ed}", false),
            ("", false),
        ] {
            assert_eq!(concerns_gpus(message.as_bytes()), counts, "{message:?}");
        }
    }

    proptest! {
        #[test]
        fn any_message_is_answered(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _either = concerns_gpus(&bytes);
        }
    }
}
