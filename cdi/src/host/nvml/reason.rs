//! What an operator can do about an answer of NVML.

use nvml_wrapper::error::NvmlError;

/// One lower-case sentence for each refusal.
#[expect(clippy::wildcard_enum_match_arm, reason = "what needs no word of its own keeps NVML's")]
pub(super) fn sentence(code: &NvmlError) -> String {
    let known = match code {
        NvmlError::DriverNotLoaded => {
            "the driver's kernel module is not loaded; load it with modprobe nvidia"
        }
        NvmlError::LibRmVersionMismatch => {
            "the loaded kernel module and the user-space libraries are of different versions; reload the module or reboot"
        }
        NvmlError::NoPermission => {
            "no permission for the device nodes; run as root or a member of the nodes' group"
        }
        NvmlError::GpuLost => {
            "the GPU is lost, it has fallen off the bus; look at dmesg for its XID and reset or replace it"
        }
        NvmlError::ResetRequired => "the GPU needs a reset; stop what uses it and run nvidia-smi --gpu-reset",
        NvmlError::Timeout => "the driver did not answer in time; look at dmesg",
        NvmlError::IrqIssue => "the driver sees interrupt trouble; look at dmesg and check the board's seat",
        NvmlError::InsufficientPower => "the GPU lacks power; check its power cables",
        NvmlError::CorruptedInfoROM => "the GPU's InfoROM is damaged; replace the board",
        NvmlError::InUse => "the GPU is in exclusive use by another program; stop that one",
        NvmlError::NotFound => "the driver knows no such device; look at dmesg",
        NvmlError::FailedToLoadSymbol(_) | NvmlError::FunctionNotFound => {
            "the driver's NVML is too old for this question; upgrade the driver"
        }
        other => return format!("{}; look at dmesg", other.to_string().to_lowercase()),
    };
    known.to_owned()
}
