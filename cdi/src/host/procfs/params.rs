//! `/proc/driver/nvidia/params`: parameters of the loaded kernel module, `Name: value` a line. Pure.

/// The value of `ModifyDeviceFiles`.
pub(super) fn modifies_device_files(bytes: &[u8]) -> Option<bool> {
    let value =
        bytes.split(|byte| *byte == b'\n').find_map(|line| line.strip_prefix(b"ModifyDeviceFiles:"))?;
    match value.trim_ascii() {
        b"0" => Some(false),
        b"1" => Some(true),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parameter_is_found_among_others() {
        for (text, wanted) in [
            ("ResmanDebugLevel: 4294967295\nModifyDeviceFiles: 1\nDeviceFileUID: 0\n", Some(true)),
            ("ModifyDeviceFiles: 0", Some(false)),
            ("ModifyDeviceFiles: yes\n", None),
            ("xModifyDeviceFiles: 1\n", None),
            ("", None),
        ] {
            assert_eq!(modifies_device_files(text.as_bytes()), wanted, "{text:?}");
        }
    }
}
