//! What a spec costs.

use std::path::Path;

use super::{BenchError, Figure, Goal, Middle, Programs, Report, Simulated, middle, milliseconds, ratio};
use crate::measure::{Call, Cost, Work, pairs};

/// Specs are written here, to a file system in memory, as /var/run/cdi is on real nodes.
const MEMORY: &str = "/dev/shm";

/// What Berth should reach.
#[derive(Debug, Clone, Copy)]
pub struct Aim {
    /// Name of the figures.
    pub name: &'static str,
    /// How many times faster it should be.
    pub faster: f64,
    /// How many times less memory it should take, if that is a goal.
    pub smaller: Option<f64>,
}

/// Both programs describe the node of `simulated`, `runs` times in turns.
///
/// # Errors
/// [`BenchError`] when one of them fails.
pub fn generate(
    programs: &Programs,
    simulated: &Simulated,
    runs: usize,
    &Aim { name, faster, smaller }: &Aim,
) -> Result<Report, BenchError> {
    let folder = tempfile::Builder::new().prefix("berth-rig-").tempdir_in(MEMORY);
    let folder = folder.map_err(BenchError::file(MEMORY))?;
    let ours = describe(&programs.berth_cdi, &folder.path().join("ours.yaml"));
    let theirs = describe(&programs.peer.ctk, &folder.path().join("theirs.yaml"));
    let (ours, theirs) = simulated.inside(move || Ok(pairs(runs, || ours.clone(), || theirs.clone())?))?;
    let mut report = Report { notes: notes(name, &middle(&ours), &middle(&theirs)), ..Report::default() };
    let times = ratio(&ours, &theirs, |cost: &Cost| milliseconds(cost.wall));
    report.figures.push(figure(format!("{name}-speed"), times, faster));
    if let Some(smaller) = smaller {
        let least = ratio(&ours, &theirs, |cost| u32::try_from(cost.peak_kib).map_or(0.0, f64::from));
        report.figures.push(figure(format!("{name}-memory"), least, smaller));
    }
    Ok(report)
}

/// `cdi generate` with both programs' common flags, into a file.
fn describe(program: &Path, output: &Path) -> Work {
    let is_peer = program.ends_with("nvidia-ctk");
    let before: &[&str] = if is_peer { &["cdi", "generate"] } else { &["generate"] };
    let words = [program.display().to_string()].into_iter().chain(before.iter().map(|&word| word.into()));
    let words = words.chain(["--output".into(), output.display().to_string()]).collect();
    Work { calls: vec![Call { words, ..Call::default() }], ..Work::default() }
}

pub(super) fn figure(name: String, value: f64, least: f64) -> Figure {
    Figure { name, value, unit: "times", goal: Goal::AtLeast(least) }
}

pub(super) fn notes(name: &str, ours: &Middle, theirs: &Middle) -> Vec<String> {
    let line = |who: &str, middle: &Middle| {
        let Middle { ms, least_ms, cpu_ms, mib, floor_mib } = middle;
        let time = format!("{ms:.1} ms (least {least_ms:.1}, processor {cpu_ms:.1})");
        format!("{name}: {who} {time}, {mib:.1} MiB (floor {floor_mib:.1})")
    };
    vec![line("Berth", ours), line("NVIDIA", theirs)]
}
