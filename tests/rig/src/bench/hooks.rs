//! What the hooks of a container with one GPU cost.
#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "makes specs and reads them")]

use std::{fs, path::Path, process::Command};

use berth_cdi::spec::{Format, Hook, Spec};

use super::{
    BenchError, ContainerRoot, Programs, Report, Simulated,
    generate::{figure, notes},
    middle, milliseconds, ratio,
};
use crate::measure::{Call, Work, pairs};

/// The hooks that each program's spec names for the GPU `0`, run as a runtime runs them, on equal roots.
///
/// # Errors
/// [`BenchError`] when a spec cannot be made or a hook fails.
pub fn hooks(programs: &Programs, simulated: &Simulated, runs: usize) -> Result<Report, BenchError> {
    let (programs, scratch) = (programs.clone(), simulated.scratch().to_path_buf());
    simulated.inside(move || inside(&programs, &scratch, runs))
}

fn inside(programs: &Programs, scratch: &Path, runs: usize) -> Result<Report, BenchError> {
    let ours = spec(&programs.berth_cdi, &["generate"], &programs.hook)?;
    let theirs = spec(&programs.peer.ctk, &["cdi", "generate"], &programs.peer.hook)?;
    let roots = ["ours", "theirs"].map(|name| ContainerRoot::new(&scratch.join(name), &theirs));
    let [one, other] = roots;
    let (one, other) = (one?, other?);
    let (ours, theirs) = (calls(&ours), calls(&theirs));
    let work = |calls: &[Call], root: &ContainerRoot| {
        // A root that could not be made fails the hooks, which is told.
        let mount = root.fresh().ok();
        Work { calls: calls.to_vec(), input: root.state(), mount }
    };
    let counts = (ours.len(), theirs.len());
    let (ours, theirs) = pairs(runs, || work(&ours, &one), || work(&theirs, &other))?;
    let mut notes = notes("hooks-1-gpu", &middle(&ours), &middle(&theirs));
    notes.push(format!("hooks-1-gpu: {} process by Berth, {} by NVIDIA", counts.0, counts.1));
    let times = ratio(&ours, &theirs, |cost| milliseconds(cost.wall));
    Ok(Report { figures: vec![figure("hooks-1-gpu-speed".into(), times, 10.0)], notes })
}

fn spec(program: &Path, before: &[&str], hook: &Path) -> Result<Spec, BenchError> {
    let mut command = Command::new(program);
    command.args(before).arg("--nvidia-cdi-hook-path").arg(hook);
    let output = command.output().map_err(BenchError::file(program))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        return Err(BenchError::Request(format!("{} failed: {said}", program.display())));
    }
    Ok(Spec::parse(&output.stdout, Format::Yaml)?)
}

/// The calls of a container's hooks: those of all containers, then those of the GPU.
fn calls(spec: &Spec) -> Vec<Call> {
    let device = spec.devices.iter().find(|device| device.name.as_str() == "0");
    let own = device.into_iter().flat_map(|device| &device.container_edits.hooks);
    spec.container_edits.hooks.iter().chain(own).map(call).collect()
}

fn call(hook: &Hook) -> Call {
    let environment = hook.env.iter().filter_map(|entry| entry.split_once('='));
    let environment = environment.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    let file = fs::canonicalize(&hook.path).unwrap_or_else(|_missing| hook.path.clone().into());
    Call { words: hook.args.clone(), file: Some(file), environment: Some(environment) }
}
