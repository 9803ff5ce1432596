//! What can be asked for.

use std::{ffi::OsString, path::PathBuf, str::FromStr};

use clap::{Args, Parser, Subcommand};

use super::{Failure, faults::FaultArguments};
use crate::{
    change::Stage,
    driver::fetch::Branch,
    layout::Layout,
    machine::{DriverVersion, Feature},
    nvml::InstanceRequest,
};

/// Makes simulated GPU nodes, changes them, and runs programs on them.
#[derive(Debug, Parser)]
#[command(name = "berth-node", version)]
pub struct Arguments {
    #[command(subcommand)]
    pub(super) command: Command,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Make a node below ROOT.
    Create(CreateArguments),
    /// Tell what the node is: files with --tree, else driver, GPUs and MIG instances.
    Show {
        /// The node's root.
        root: PathBuf,
        /// List all of the node's files instead.
        #[arg(long)]
        tree: bool,
    },
    /// Run a program on the node: in a private mount namespace in which the node is the machine.
    Enter {
        /// The node's root.
        root: PathBuf,
        /// The program and its arguments.
        #[arg(last = true, required = true)]
        program: Vec<OsString>,
    },
    /// Change MIG as an administrator does. GPUs go by minor: N of /dev/nvidiaN.
    Mig {
        /// The node's root.
        root: PathBuf,
        #[command(subcommand)]
        change: MigCommand,
    },
    /// Reset a GPU: pending modes come into force, MIG instances are gone.
    Reset {
        /// The node's root.
        root: PathBuf,
        /// Minor of the GPU.
        gpu: u32,
    },
    /// Make capability nodes and files those of the MIG instances that NVML has, whoever made them.
    Sync {
        /// The node's root.
        root: PathBuf,
    },
    /// Let something go wrong, or mend all with `clear`.
    Fault(FaultArguments),
    /// Let the driver tell something of a GPU to whoever waits for it.
    Event {
        /// The node's root.
        root: PathBuf,
        #[command(subcommand)]
        event: EventCommand,
    },
    /// Unload the driver and load it again.
    Reload(LoadArguments),
    /// Unload the driver: nodes vanish.
    Unload {
        /// The node's root.
        root: PathBuf,
    },
    /// Load the driver that is installed.
    Load(LoadArguments),
    /// Upgrade or downgrade the driver.
    Upgrade {
        /// The node's root.
        root: PathBuf,
        /// The new driver, as for create.
        driver: Driver,
        /// Stop halfway: unpacked (new files beside the old), linked (new files, old module), loaded.
        #[arg(long, default_value = "loaded")]
        stop_after: Stage,
    },
    /// Plug a GPU in, or pull one out.
    Hotplug {
        /// The node's root.
        root: PathBuf,
        #[command(subcommand)]
        change: HotplugCommand,
    },
    /// Make a daemon's socket (persistenced, fabricmanager), or MPS's folder (mps), appear or go.
    Socket {
        /// The node's root.
        root: PathBuf,
        /// add or remove.
        #[arg(value_parser = ["add", "remove"])]
        change: String,
        /// Whose.
        feature: Feature,
    },
    /// Remove the node and all below its root.
    Destroy {
        /// The node's root.
        root: PathBuf,
    },
}

#[derive(Debug, Args)]
pub(super) struct CreateArguments {
    /// Where; made if it is not there.
    pub(super) root: PathBuf,
    /// Where the driver's files lie: debian, rpm, split-roots, driver-container, ldcache-only, tegra-orin,
    /// tegra-thor or wsl.
    #[arg(long, default_value = "debian")]
    pub(super) layout: Layout,
    /// The driver: 550 or 535 from the distribution's packages, stand-in, stand-in:VERSION, or a folder of
    /// unpacked packages.
    #[arg(long, default_value = "550")]
    pub(super) driver: Driver,
    /// Use stand-ins for the driver's files even where packages are to be had.
    #[arg(long)]
    pub(super) stand_in: bool,
    /// Boards, such as 8xh100-sxm-80gb or 2xh200,t4; may be given several times.
    #[arg(long, visible_alias = "gpu", default_value = "h200-141gb")]
    pub(super) gpus: Vec<String>,
    /// MIG instances of a GPU by minor, such as 0=1g.18gb,1g.18gb or 0=3g.71gb@4; may be given several times.
    #[arg(long)]
    pub(super) mig: Vec<MigOf>,
    /// What else the node has: compat32, mofed, gds, gdrcopy, nvswitch, imex, persistenced, fabricmanager,
    /// mps, iommu.
    #[arg(long = "with", value_delimiter = ',')]
    pub(super) features: Vec<Feature>,
    /// The simulated NVML library; else the one beside this program.
    #[arg(long, env = "BERTH_FAKE_NVML")]
    pub(super) nvml: Option<PathBuf>,
    /// A program to install in the node's /usr/bin, such as berth-cdi-hook; may be given several times.
    #[arg(long)]
    pub(super) install: Vec<PathBuf>,
    /// Leave the driver's own NVML in place.
    #[arg(long, conflicts_with = "nvml")]
    pub(super) no_nvml: bool,
}

#[derive(Debug, Args)]
pub(super) struct LoadArguments {
    /// The node's root.
    pub(super) root: PathBuf,
    /// The number that nvidia-uvm gets this time.
    #[arg(long)]
    pub(super) uvm_major: Option<u32>,
}

#[derive(Debug, Subcommand)]
pub(super) enum MigCommand {
    /// Turn the mode on, with the reset that older boards need.
    Enable {
        /// Minor of the GPU.
        gpu: u32,
    },
    /// Destroy all instances and turn the mode off.
    Disable {
        /// Minor of the GPU.
        gpu: u32,
    },
    /// Make instances, each a GPU instance with a compute instance of full size.
    Create {
        /// Minor of the GPU.
        gpu: u32,
        /// Profiles, such as 1g.18gb, or 1g.18gb@4 at memory slice 4.
        #[arg(required = true)]
        profiles: Vec<InstanceRequest>,
    },
    /// Destroy a GPU instance and what is in it, or all.
    Destroy {
        /// Minor of the GPU.
        gpu: u32,
        /// Id of the GPU instance.
        instance: Option<u32>,
    },
}

#[derive(Debug, Subcommand)]
pub(super) enum EventCommand {
    /// A line of the driver's log, by its number.
    Xid {
        /// Minor of the GPU.
        #[arg(long)]
        gpu: u32,
        /// Such as 79: fallen off the bus.
        #[arg(long)]
        xid: u64,
    },
    /// A memory error, which is counted as well.
    Ecc {
        /// Minor of the GPU.
        #[arg(long)]
        gpu: u32,
        /// One that could not be corrected.
        #[arg(long)]
        uncorrected: bool,
    },
}

#[derive(Debug, Subcommand)]
pub(super) enum HotplugCommand {
    /// Plug boards into the free slots.
    Add {
        /// Boards, as for create.
        gpus: String,
    },
    /// Pull a GPU out.
    Remove {
        /// Minor of the GPU.
        gpu: u32,
    },
}

/// Where the driver's files come from, as asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Driver {
    /// The distribution's packages of this branch.
    Branch(Branch),
    /// Stand-ins of this version.
    StandIn(DriverVersion),
    /// A folder of unpacked packages.
    Folder(PathBuf),
}

impl FromStr for Driver {
    type Err = Failure;

    fn from_str(text: &str) -> Result<Self, Failure> {
        match text.split_once(':') {
            Some(("stand-in", version)) => Ok(Self::StandIn(version.parse()?)),
            _ if text == "stand-in" => Ok(Self::StandIn(DriverVersion::stand_in())),
            _ if text.contains('/') => Ok(Self::Folder(text.into())),
            _ => Ok(Self::Branch(text.parse()?)),
        }
    }
}

/// MIG instances of one GPU.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct MigOf {
    pub(super) gpu: u32,
    pub(super) instances: Vec<InstanceRequest>,
}

impl FromStr for MigOf {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let form = || format!("{text:?} is not of the form 0=1g.18gb,1g.18gb");
        let (gpu, list) = text.split_once('=').ok_or_else(form)?;
        let gpu = gpu.parse().map_err(|_number| form())?;
        let instances = list.split(',').filter(|profile| !profile.is_empty()).map(str::parse);
        Ok(Self { gpu, instances: instances.collect::<Result<_, _>>().map_err(|_number| form())? })
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn drivers_go_by_branch_stand_in_or_folder() {
        for (text, expected) in [
            ("535", Driver::Branch(Branch::R535)),
            ("stand-in:1.2", Driver::StandIn("1.2".parse().expect("a version"))),
            ("./x", Driver::Folder("./x".into())),
        ] {
            assert_eq!(text.parse::<Driver>().expect("a driver"), expected);
        }
        "stand-in:x".parse::<Driver>().expect_err("no version");
        "470".parse::<Driver>().expect_err("no packages");
    }
}
