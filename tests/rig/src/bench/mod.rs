//! Berth beside NVIDIA's container toolkit, on the same simulated node, in turns.

mod container;
mod figure;
mod generate;
mod hooks;
mod library;
mod simulated;
mod sizes;

use std::{io, path::PathBuf};

use berth_cdi::spec::SpecError;
use berth_node::{NodeError, enter::EnterError};
use berth_packages::Peer;

pub use self::{
    container::ContainerRoot,
    figure::{Figure, Goal, Middle, middle, milliseconds, ratio},
    generate::{Aim, generate},
    hooks::hooks,
    library::library,
    simulated::Simulated,
    sizes::sizes,
};
use crate::measure::MeasureError;

/// Programs that are measured, and what they need.
#[derive(Debug, Clone)]
pub struct Programs {
    /// `berth-cdi`, optimised.
    pub berth_cdi: PathBuf,
    /// `berth-cdi-hook`, optimised and static.
    pub hook: PathBuf,
    /// The simulated NVML, the same file for all.
    pub nvml: PathBuf,
    /// The client that measures the simulated NVML itself.
    pub nvml_client: PathBuf,
    /// NVIDIA's programs.
    pub peer: Peer,
    /// NVIDIA's driver files, unpacked.
    pub driver: PathBuf,
}

/// What one comparison found.
#[derive(Debug, Clone, Default)]
pub struct Report {
    /// The figures that have a goal.
    pub figures: Vec<Figure>,
    /// What lies behind them, for people.
    pub notes: Vec<String>,
}

/// A comparison that could not be made.
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    /// The node could not be made.
    #[error("cannot make the simulated node")]
    Node(#[from] NodeError),
    /// It could not be entered.
    #[error(transparent)]
    Enter(#[from] EnterError),
    /// A program failed.
    #[error(transparent)]
    Measure(#[from] MeasureError),
    /// A file could not be used.
    #[error("cannot use {path}; is everything built, and is the disk full?")]
    File {
        /// Which.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// A spec could not be read.
    #[error("a spec that was made cannot be read")]
    Spec(#[from] SpecError),
    /// What is asked for does not exist.
    #[error("{0}")]
    Request(String),
}

impl BenchError {
    pub(crate) fn file(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self::File { path, source }
    }
}
