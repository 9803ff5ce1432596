//! Flags of `generate`, under the names of `nvidia-ctk cdi generate`.

use std::path::PathBuf;

use clap::Args;
use clap::builder::FalseyValueParser;

use super::HostArgs;
use crate::build::{DEFAULT_HOOK, DeviceId, Naming};

/// Writes the CDI spec of this node: every path in it was seen to exist; what can't be used is left out and named.
#[derive(Debug, Clone, Args)]
#[command(after_help = "Examples:
  berth-cdi generate --output /var/run/cdi/nvidia.yaml
  berth-cdi generate --device-id 0 --device-id 1:0 --format json
  berth-cdi generate --mode imex --output /var/run/cdi/nvidia-imex.yaml
  berth-cdi generate --host-root /host --driver-root /run/nvidia/driver --dev-root /")]
pub struct Generate {
    /// What to describe: auto, nvml, management, imex, gds, mofed, nvswitch, gdrcopy, csv or wsl
    #[arg(long, default_value = "auto", env = "BERTH_CDI_MODE", alias = "discovery-mode")]
    pub mode: String,
    /// Replace this file [default: print]
    #[arg(long, value_name = "FILE", env = "BERTH_CDI_OUTPUT_FILE_PATH")]
    pub output: Option<PathBuf>,
    /// json or yaml [default: by the output's suffix, else yaml]
    #[arg(long, env = "BERTH_CDI_OUTPUT_FORMAT")]
    pub format: Option<String>,
    /// Fail when anything was left out
    #[arg(value_parser = FalseyValueParser::new(), long, env = "BERTH_CDI_STRICT")]
    pub strict: bool,
    /// Where the host's parts lie.
    #[command(flatten)]
    pub host: HostArgs,
    /// Which devices, and how they are named.
    #[command(flatten)]
    pub devices: Devices,
    /// The hook.
    #[command(flatten)]
    pub hook: Hook,
    /// Special machines.
    #[command(flatten)]
    pub special: Special,
}

/// Which devices, and how they are named.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Devices")]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own on the command line")]
pub struct Devices {
    /// Name devices by index, type-index or uuid; several names each give every device (repeatable)
    #[arg(
        long,
        value_name = "STRATEGY",
        value_delimiter = ',',
        default_values = ["index", "uuid"],
        env = "BERTH_CDI_DEVICE_NAME_STRATEGIES"
    )]
    pub device_name_strategy: Vec<Naming>,
    /// Describe these alone, by index (0), pair of indices (1:0) or UUID; none is a device without GPU (repeatable)
    #[arg(long, value_name = "ID", value_delimiter = ',', env = "BERTH_CDI_DEVICE_IDS", aliases = ["device-ids", "device"])]
    pub device_id: Vec<DeviceId>,
    /// No device that holds all others
    #[arg(value_parser = FalseyValueParser::new(), long, env = "BERTH_CDI_NO_ALL_DEVICE")]
    pub no_all_device: bool,
    /// Vendor of the kind [default: nvidia.com; management.nvidia.com in mode management]
    #[arg(long, env = "BERTH_CDI_VENDOR", alias = "cdi-vendor")]
    pub vendor: Option<String>,
    /// Class of the kind [default: gpu; imex-channel, gds, mofed, nvswitch or gdrcopy in those modes]
    #[arg(long, env = "BERTH_CDI_CLASS", alias = "cdi-class")]
    pub class: Option<String>,
    /// Write device numbers and permission bits too; without them the runtime looks, and a driver reload does no harm
    #[arg(value_parser = FalseyValueParser::new(), long, env = "BERTH_CDI_DEVICE_NUMBERS")]
    pub device_numbers: bool,
    /// Add the groups of device nodes to the container's process; needs CDI 0.7.0, which podman 4 can't read
    #[arg(value_parser = FalseyValueParser::new(), long, env = "BERTH_CDI_ADDITIONAL_GIDS")]
    pub additional_gids: bool,
    /// Give MIG devices the graphics nodes of their GPU; those of +gfx profiles have them anyway
    #[arg(value_parser = FalseyValueParser::new(), long, env = "BERTH_CDI_MIG_DRM")]
    pub mig_drm: bool,
    /// Add the driver's libraries for 32-bit programs
    #[arg(value_parser = FalseyValueParser::new(), long, env = "BERTH_CDI_LIBRARIES_32")]
    pub libraries_32: bool,
}

/// The hook.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Hook")]
pub struct Hook {
    /// The hook's program, on the host
    #[arg(
        long,
        value_name = "FILE",
        default_value = DEFAULT_HOOK,
        env = "BERTH_CDI_HOOK_PATH",
        aliases = ["nvidia-ctk-path", "hook-path"]
    )]
    pub nvidia_cdi_hook_path: String,
    /// Leave a part of its work out: create-symlinks, update-ldcache, enable-cuda-compat,
    /// disable-device-node-modification, update-application-profile or all (repeatable)
    #[arg(long, value_name = "NAME", value_delimiter = ',', env = "BERTH_CDI_DISABLE_HOOKS", aliases = ["disable-hooks"])]
    pub disable_hook: Vec<String>,
    /// Do a part that is off by default; none is (repeatable)
    #[arg(long, value_name = "NAME", value_delimiter = ',', env = "BERTH_CDI_ENABLE_HOOKS", aliases = ["enable-hooks"])]
    pub enable_hook: Vec<String>,
    /// Not needed: the loader's cache is written without ldconfig
    #[arg(long, value_name = "FILE", env = "BERTH_CDI_LDCONFIG_PATH")]
    pub ldconfig_path: Option<PathBuf>,
    /// enable-explicit-driver-libraries, enable-coherent-annotations, disable-ipc-discoverer or
    /// disable-multiple-csv-devices (repeatable)
    #[arg(long, value_name = "NAME", value_delimiter = ',', env = "BERTH_CDI_FEATURE_FLAGS", aliases = ["feature-flags"])]
    pub feature_flag: Vec<String>,
}

/// Special machines.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Tegra boards")]
pub struct Special {
    /// A list of the board (repeatable) [default: devices.csv, drivers.csv and l4t.csv of the board's folder]
    #[arg(long = "csv.file", value_name = "FILE", value_delimiter = ',', env = "BERTH_CDI_CSV_FILES")]
    pub csv_file: Vec<PathBuf>,
    /// Leave out listed links of this path, or **/NAME (repeatable)
    #[arg(
        long = "csv.ignore-pattern",
        value_name = "PATTERN",
        value_delimiter = ',',
        env = "BERTH_CDI_CSV_IGNORE_PATTERNS"
    )]
    pub csv_ignore_pattern: Vec<String>,
    /// Folder of the container with CUDA's compatibility libraries
    #[arg(
        long = "csv.compat-container-root",
        value_name = "DIR",
        env = "BERTH_CDI_CSV_COMPAT_CONTAINER_ROOT"
    )]
    pub csv_compat_container_root: Option<String>,
}
