//! Where the host's parts lie.

use std::path::PathBuf;

use clap::Args;

/// Where the host's parts lie.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Where to look")]
pub struct HostArgs {
    /// Where this process sees the host's file system, such as /host in a pod; stands in no path that is written
    #[arg(long, value_name = "DIR", default_value = "/", env = "BERTH_CDI_HOST_ROOT")]
    pub host_root: PathBuf,
    /// Folder of the host below which the driver's files lie; host paths keep it, container paths lose it
    #[arg(long, value_name = "DIR", default_value = "/", env = "BERTH_CDI_DRIVER_ROOT")]
    pub driver_root: PathBuf,
    /// Folder of the host below which dev lies [default: the driver root]
    #[arg(long, value_name = "DIR", env = "BERTH_CDI_DEV_ROOT")]
    pub dev_root: Option<PathBuf>,
    /// Search libraries here, in place of the usual folders (repeatable)
    #[arg(long, value_name = "DIR", value_delimiter = ',', env = "BERTH_CDI_LIBRARY_SEARCH_PATHS")]
    pub library_search_path: Vec<PathBuf>,
    /// Search configuration here, in place of /etc and the data folders (repeatable)
    #[arg(long, value_name = "DIR", value_delimiter = ',', env = "BERTH_CDI_CONFIG_SEARCH_PATHS")]
    pub config_search_path: Vec<PathBuf>,
}
