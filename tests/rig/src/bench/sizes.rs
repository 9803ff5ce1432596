//! How large the programs are.
#![expect(clippy::disallowed_methods, reason = "looks at files")]

use std::{fs, path::Path};

use super::{BenchError, Figure, Goal, Programs};

/// Megabytes of NVIDIA's `nvidia-ctk` 1.20.2, built without symbols.
const CTK: f64 = 13.1;
/// And of its `nvidia-cdi-hook`.
const CTK_HOOK: f64 = 7.1;

/// The sizes of Berth's programs, with those of NVIDIA's as goals, and those measured here as notes.
///
/// # Errors
/// [`BenchError::File`] when one is not there.
pub fn sizes(programs: &Programs) -> Result<super::Report, BenchError> {
    let figure = |name: &str, file: &Path, most| {
        let value = megabytes(file)?;
        Ok::<_, BenchError>(Figure { name: name.into(), value, unit: "MB", goal: Goal::AtMost(most) })
    };
    let figures = vec![
        figure("size-berth-cdi", &programs.berth_cdi, CTK)?,
        figure("size-berth-cdi-hook", &programs.hook, CTK_HOOK)?,
    ];
    let (ctk, hook) = (megabytes(&programs.peer.ctk)?, megabytes(&programs.peer.hook)?);
    let note = format!("size: nvidia-ctk {ctk:.1} MB, nvidia-cdi-hook {hook:.1} MB, as built here");
    Ok(super::Report { figures, notes: vec![note] })
}

fn megabytes(file: &Path) -> Result<f64, BenchError> {
    let length = fs::metadata(file).map_err(BenchError::file(file))?.len();
    Ok(u32::try_from(length).map_or(f64::INFINITY, f64::from) / 1e6)
}
