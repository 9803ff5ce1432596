//! The nodes and modes that both programs are asked to describe.

use berth_node::{layout::Layout, machine::Feature};

/// One comparison.
#[derive(Debug, Clone, Copy)]
pub struct Case {
    /// Its heading.
    pub name: &'static str,
    /// Where the driver's files lie.
    pub layout: Layout,
    /// The GPUs.
    pub boards: &'static str,
    /// MIG instances of the last GPU.
    pub mig: &'static [&'static str],
    /// What else the node has.
    pub features: &'static [Feature],
    /// Flags, the same for both programs.
    pub flags: &'static [&'static str],
}

const DAEMONS: &[Feature] = &[Feature::Persistenced, Feature::Fabricmanager, Feature::Mps];
const CASE: Case = Case {
    name: "",
    layout: Layout::Debian,
    boards: "2xh100-sxm-80gb",
    mig: &[],
    features: DAEMONS,
    flags: &[],
};

/// All comparisons, in the order of the document.
pub const CASES: [Case; 14] = [
    Case { name: "Debian's packages, one GPU in MIG devices", mig: &["1g.10gb", "3g.40gb"], ..CASE },
    Case { name: "Debian's packages, a GPU with displays", boards: "rtx-4090", ..CASE },
    Case { name: "RPM distributions", layout: Layout::Rpm, ..CASE },
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
];
