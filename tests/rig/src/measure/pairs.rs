//! Two pieces of work, in turns, so that what else the machine does falls on both.
#![expect(clippy::disallowed_types, reason = "starts workers")]

use std::{
    env, io,
    io::Write as _,
    process::{Command, Stdio},
};

use super::{Cost, Work, worker::WORKER};

/// Runs that are done before the first that counts: they fill the kernel's caches.
const WARM: usize = 2;

/// Work that could not be measured.
#[derive(Debug, thiserror::Error)]
pub enum MeasureError {
    /// The worker could not be started or talked to.
    #[error("cannot run a measuring process; is the program still where it was?")]
    Worker(#[source] io::Error),
    /// The work failed.
    #[error("measured work failed: {0}")]
    Work(String),
    /// The work or its cost has no JSON form.
    #[error("the measuring process was not understood")]
    Talk(#[from] serde_json::Error),
}

/// The costs of `runs` runs of what `one` and `other` make, in turns; each run's work is made anew.
///
/// # Errors
/// [`MeasureError`] of the first run that fails.
pub fn pairs(
    runs: usize,
    mut one: impl FnMut() -> Work,
    mut other: impl FnMut() -> Work,
) -> Result<(Vec<Cost>, Vec<Cost>), MeasureError> {
    let mut costs = (Vec::new(), Vec::new());
    for run in 0..WARM + runs {
        let (first, second) = (once(&one())?, once(&other())?);
        if run >= WARM {
            costs.0.push(first);
            costs.1.push(second);
        }
    }
    Ok(costs)
}

fn once(work: &Work) -> Result<Cost, MeasureError> {
    let program = env::current_exe().map_err(MeasureError::Worker)?;
    // With the highest priority, which both get, other programs of the machine disturb less; nice(1) goes on
    // without it where it is not allowed.
    let mut command = Command::new("nice");
    command
        .args(["-n", "-19"])
        .arg(program)
        .arg(WORKER)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().map_err(MeasureError::Worker)?;
    let text = serde_json::to_string(work)?;
    if let Some(mut pipe) = child.stdin.take() {
        pipe.write_all(text.as_bytes()).map_err(MeasureError::Worker)?;
    }
    let output = child.wait_with_output().map_err(MeasureError::Worker)?;
    if !output.status.success() {
        return Err(MeasureError::Work(String::from_utf8_lossy(&output.stderr).trim().to_owned()));
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}
