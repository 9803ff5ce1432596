//! `/proc/driver/nvidia`: version, parameters, one folder a GPU.

use crate::{
    machine::{DriverVersion, Gpu, Machine},
    tree::Tree,
};

/// Parameters of the kernel module, as `cat /proc/driver/nvidia/params` shows the ones that matter here.
const PARAMS: &str = "\
ResmanDebugLevel: 4294967295
RmLogonRC: 1
ModifyDeviceFiles: 1
DeviceFileUID: 0
DeviceFileGID: 0
DeviceFileMode: 438
EnableGpuFirmware: 18
";

pub(super) fn files(machine: &Machine, version: &DriverVersion) -> Tree {
    let mut tree = Tree::new();
    tree.text("/proc/driver/nvidia/version", banner(version));
    tree.text("/proc/driver/nvidia/params", PARAMS);
    tree.text("/proc/driver/nvidia/registry", "Binary: \"\"\n");
    for gpu in machine.driven() {
        tree.text(format!("/proc/driver/nvidia/gpus/{}/information", gpu.bus), information(gpu, version));
    }
    tree
}

fn banner(version: &DriverVersion) -> String {
    format!(
        "NVRM version: NVIDIA UNIX x86_64 Kernel Module  {version}  Tue Dec  2 00:00:00 UTC 2025\n\
         GCC version:  gcc version 12.2.0 (Debian 12.2.0-14)\n"
    )
}

fn information(gpu: &Gpu, version: &DriverVersion) -> String {
    format!(
        "Model: \t\t {name}\nIRQ:   \t\t {irq}\nGPU UUID: \t {uuid}\nVideo BIOS: \t 96.00.89.00.01\n\
         Bus Type: \t PCIe\nDMA Size: \t 52 bits\nDMA Mask: \t 0xfffffffffffff\n\
         Bus Location: \t {bus}\nDevice Minor: \t {minor}\nGPU Firmware: \t {version}\n\
         GPU Excluded:\t No\n",
        name = gpu.name,
        irq = 200 + gpu.minor,
        uuid = gpu.uuid,
        bus = gpu.bus,
        minor = gpu.minor,
    )
}
