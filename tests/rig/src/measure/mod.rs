//! What programs cost: time and memory, each run measured by a small process of its own.
//!
//! The kernel counts what a process had in memory before it became another program, so who starts a measured
//! program must be small: that is the [`worker`], not the bench with its simulated node. What cannot be less
//! than the worker itself is told as [`Cost::floor_kib`].

pub mod worker;

mod pairs;

use std::{path::PathBuf, time::Duration};

use serde::{Deserialize, Serialize};

pub use self::pairs::{MeasureError, pairs};

/// One program to run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Call {
    /// The program and its arguments, its own name first.
    pub words: Vec<String>,
    /// The file that it runs, if its name is another.
    pub file: Option<PathBuf>,
    /// Its whole environment; `None` leaves it that of the worker.
    pub environment: Option<Vec<(String, String)>>,
}

/// Programs that run one after the other and count as one.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Work {
    /// The programs, in order.
    pub calls: Vec<Call>,
    /// What each reads from its standard input.
    pub input: String,
    /// A folder that becomes a mount of its own in a mount namespace that only these programs see.
    pub mount: Option<PathBuf>,
}

/// What some work cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cost {
    /// From before the first start to after the last end.
    pub wall: Duration,
    /// Processor time of all programs.
    pub cpu: Duration,
    /// The most memory that one of the programs held at once, in KiB.
    pub peak_kib: u64,
    /// What the worker itself held, in KiB; no peak can be seen below it.
    pub floor_kib: u64,
}
