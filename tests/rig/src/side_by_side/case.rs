//! The nodes and modes that both programs are asked to describe.

use berth_node::{driver::fetch::Branch, layout::Layout, machine::Feature};

/// One comparison.
#[derive(Debug, Clone, Copy)]
pub struct Case {
    /// Its heading.
    pub name: &'static str,
    /// Where the driver's files lie.
    pub layout: Layout,
    /// The branch whose packages the driver's files are of; stand-ins of one version where there is none.
    pub driver: Option<Branch>,
    /// The GPUs.
    pub boards: &'static str,
    /// MIG instances of the last GPU.
    pub mig: &'static [&'static str],
    /// What else the node has.
    pub features: &'static [Feature],
    /// Files that a node has besides, libraries with their SONAME.
    pub more: &'static [(&'static str, Option<&'static str>)],
    /// Flags, the same for both programs.
    pub flags: &'static [&'static str],
}

const DAEMONS: &[Feature] = &[Feature::Persistenced, Feature::Fabricmanager, Feature::Mps];
const CASE: Case = Case {
    name: "",
    layout: Layout::Debian,
    driver: None,
    boards: "2xh100-sxm-80gb",
    mig: &[],
    features: DAEMONS,
    more: &[],
    flags: &[],
};

/// What only some drivers, distributions and editions have, of all that either program looks for.
const RARE: &[(&str, Option<&str>)] = &[
    ("/usr/lib64/libnvidia-nvvm70.so.4", Some("libnvidia-nvvm70.so.4")),
    ("/usr/lib64/libnvidia-egl-xcb.so.1.0.1", Some("libnvidia-egl-xcb.so.1")),
    ("/usr/lib64/libnvidia-egl-xlib.so.1.0.1", Some("libnvidia-egl-xlib.so.1")),
    ("/usr/lib64/libnvidia-egl-wayland2.so.1.0.0", Some("libnvidia-egl-wayland2.so.1")),
    ("/usr/lib64/libnvidia-vulkan-producer.so.550.163.01", Some("libnvidia-vulkan-producer.so")),
    ("/usr/lib64/nvidia/xorg/nvidia_drv.so", Some("nvidia_drv.so")),
    ("/usr/lib64/nvidia/xorg/libglxserver_nvidia.so.550.163.01", Some("libglxserver_nvidia.so")),
    ("/usr/bin/nvidia-xconfig", None),
    ("/usr/bin/nvidia-imex", None),
    ("/usr/bin/nvidia-imex-ctl", None),
    ("/usr/lib/firmware/nvidia/550.163.01/ucodes_ga10x.bin", None),
    ("/usr/lib/firmware/updates/nvidia/550.163.01/gsp_ga10x.bin", None),
    ("/usr/local/share/nvidia/nvoptix.bin", None),
    ("/usr/share/X11/xorg.conf.d/10-nvidia.conf", None),
    ("/usr/share/egl/egl_external_platform.d/09_nvidia_wayland2.json", None),
    ("/usr/share/egl/egl_external_platform.d/20_nvidia_xcb.json", None),
    ("/usr/share/egl/egl_external_platform.d/20_nvidia_xlib.json", None),
    ("/usr/share/vulkan/icd.d/nvidia_icd.x86_64.json", None),
    ("/usr/share/vulkan/icd.d/nvidia_layers.json", None),
    ("/etc/vulkan/icd.d/nvidia_icd.json", None),
];

/// All comparisons, in the order of the document.
pub const CASES: [Case; 20] = [
    Case { name: "Debian's packages, one GPU in MIG devices", mig: &["1g.10gb", "3g.40gb"], ..CASE },
    Case { name: "Debian's packages, a GPU with displays", boards: "rtx-4090", ..CASE },
    Case { name: "RPM distributions", layout: Layout::Rpm, ..CASE },
    Case { name: "RPM distributions, with all that is rare", layout: Layout::Rpm, more: RARE, ..CASE },
    Case {
        name: "RPM distributions, with libraries that others have too",
        layout: Layout::Rpm,
        flags: &["--feature-flag", "enable-explicit-driver-libraries"],
        ..CASE
    },
    Case { name: "libraries that only ld.so.cache knows", layout: Layout::LdcacheOnly, ..CASE },
    Case {
        name: "split driver and device roots",
        layout: Layout::SplitRoots,
        flags: &["--driver-root", "/opt/driver-root", "--dev-root", "/opt/dev-root"],
        ..CASE
    },
    Case {
        name: "driver container",
        layout: Layout::DriverContainer,
        flags: &["--driver-root", "/run/nvidia/driver", "--dev-root", "/"],
        ..CASE
    },
    Case {
        name: "names by type",
        mig: &["1g.10gb"],
        features: &[],
        flags: &["--device-name-strategy", "type-index"],
        ..CASE
    },
    Case {
        name: "one GPU alone, without `all`",
        features: &[],
        flags: &["--device-id", "0", "--no-all-device"],
        ..CASE
    },
    Case {
        name: "a part of the hook left out",
        features: &[],
        flags: &["--disable-hook", "enable-cuda-compat"],
        ..CASE
    },
    Case { name: "mode management", mig: &["1g.10gb"], flags: &["--mode", "management"], ..CASE },
    Case { name: "mode imex", features: &[Feature::Imex], flags: &["--mode", "imex"], ..CASE },
    Case { name: "mode gds", features: &[Feature::Gds], flags: &["--mode", "gds"], ..CASE },
    Case { name: "mode mofed", features: &[Feature::Mofed], flags: &["--mode", "mofed"], ..CASE },
    Case { name: "mode nvswitch", features: &[Feature::Nvswitch], flags: &["--mode", "nvswitch"], ..CASE },
    Case { name: "mode gdrcopy", features: &[Feature::Gdrcopy], flags: &["--mode", "gdrcopy"], ..CASE },
    Case {
        name: "Tegra board (Orin)",
        layout: Layout::TegraOrin,
        boards: "l4",
        features: &[],
        flags: &["--mode", "csv"],
        ..CASE
    },
    Case {
        name: "Tegra board (Thor) with a discrete GPU",
        layout: Layout::TegraThor,
        boards: "2xl4",
        features: &[],
        flags: &["--mode", "csv"],
        ..CASE
    },
    Case {
        name: "Windows' subsystem for Linux",
        layout: Layout::Wsl,
        boards: "rtx-4090",
        features: &[],
        ..CASE
    },
];

/// Comparisons with NVIDIA's own files. Their versions are those that the distribution has, so no document tells of them.
pub const REAL: [Case; 2] = [
    Case { name: "driver 550", driver: Some(Branch::R550), ..CASE },
    Case { name: "driver 535", driver: Some(Branch::R535), layout: Layout::Rpm, ..CASE },
];
