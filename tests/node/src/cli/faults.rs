//! `berth-node fault`.

use std::path::PathBuf;

use berth_fake_nvml::state::GpuFault;
use clap::{Args, Subcommand};

use crate::{
    change::{self, Fault},
    node::{Node, NodeError},
};

#[derive(Debug, Args)]
pub(super) struct FaultArguments {
    /// The node's root.
    pub(super) root: PathBuf,
    #[command(subcommand)]
    pub(super) fault: FaultCommand,
}

#[derive(Debug, Subcommand)]
pub(super) enum FaultCommand {
    /// Every query of a GPU fails: lost while the driver runs.
    Lost {
        /// Minor of the GPU.
        #[arg(long)]
        gpu: u32,
    },
    /// Not even a GPU's handle is given: fell off the bus.
    FallenOff {
        /// Minor of the GPU.
        #[arg(long)]
        gpu: u32,
    },
    /// Changes of MIG are refused until a GPU is reset.
    ResetRequired {
        /// Minor of the GPU.
        #[arg(long)]
        gpu: u32,
    },
    /// NVML finds no driver, though its nodes are there.
    DriverNotLoaded,
    /// NVML and the driver are of two versions.
    VersionMismatch,
    /// Calls of NVML take long.
    Slow {
        /// How long, in milliseconds.
        #[arg(long)]
        ms: u64,
        /// This function alone, such as nvmlDeviceGetUUID.
        #[arg(long)]
        function: Option<String>,
    },
    /// A function of NVML answers with this code.
    Code {
        /// Such as nvmlDeviceGetUUID.
        #[arg(long)]
        function: String,
        /// Such as 999.
        #[arg(long)]
        code: u32,
    },
    /// NVML lacks a function, as that of an older driver does.
    MissingSymbol {
        /// Such as nvmlDeviceGetUUID.
        function: String,
    },
    /// Mend all.
    Clear,
}

/// Lets it happen.
pub(super) fn perform(arguments: FaultArguments) -> Result<(), NodeError> {
    let mut node = Node::open(&arguments.root)?;
    let fault = match arguments.fault {
        FaultCommand::Lost { gpu } => Fault::Gpu(gpu, GpuFault::Lost),
        FaultCommand::FallenOff { gpu } => Fault::Gpu(gpu, GpuFault::FallenOff),
        FaultCommand::ResetRequired { gpu } => Fault::Gpu(gpu, GpuFault::ResetRequired),
        FaultCommand::DriverNotLoaded => Fault::DriverNotLoaded,
        FaultCommand::VersionMismatch => Fault::VersionMismatch,
        FaultCommand::Slow { ms, function } => Fault::Slow(function, ms),
        FaultCommand::Code { function, code } => Fault::Code(function, code),
        FaultCommand::MissingSymbol { function } => Fault::MissingSymbol(function),
        FaultCommand::Clear => return change::clear(&mut node),
    };
    change::fault(&mut node, &fault)
}
