//! `berth-cdi generate`: observe, build, write.

use std::{
    collections::BTreeSet,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use super::{
    Exit, Terminal,
    args::{Generate, HostArgs},
    plan::{self, Feature, Plan, Surroundings},
};
use crate::{
    build::{self, BuildError, Built, Coherent, Mode},
    host::{self, HostError, HostSnapshot, LeftOut, Options, Roots, Want},
    root::{Root, RootError},
    spec::{KindError, Spec, SpecError, validate},
    store::{self, StoreError},
};

/// Permission bits of a node's spec: runtimes of users read it.
pub(super) const SPEC_MODE: u32 = 0o644;
/// Any permission to execute.
const EXECUTABLE: u32 = 0o111;

#[derive(Debug, thiserror::Error)]
pub(super) enum GenerateError {
    #[error("cannot use the host root; check --host-root")]
    Root(#[source] RootError),
    #[error(transparent)]
    Host(#[from] HostError),
    #[error(transparent)]
    Build(#[from] BuildError),
    #[error(transparent)]
    Kind(#[from] KindError),
    #[error("the spec breaks a rule of cdi and is not written; check --nvidia-cdi-hook-path and the roots")]
    Invalid(#[source] SpecError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("cannot print the spec; check where the output goes")]
    Print,
}

/// Runs the command.
pub(super) fn run(arguments: &Generate, terminal: &mut Terminal) -> Exit {
    let plan = match plan::plan(arguments) {
        Ok(plan) => plan,
        Err(error) => {
            terminal.failure(&error);
            return Exit::Usage;
        }
    };
    plan.notes.iter().for_each(|note| terminal.warning(note));
    match generate(arguments, &plan, terminal) {
        Ok(0) => Exit::Good,
        Ok(_) if arguments.strict => Exit::Incomplete,
        Ok(_) => Exit::Good,
        Err(error) => {
            terminal.failure(&error);
            Exit::Failed
        }
    }
}

/// The number of things that were left out.
fn generate(arguments: &Generate, plan: &Plan, terminal: &mut Terminal) -> Result<usize, GenerateError> {
    let surroundings = surroundings();
    let roots = roots(&arguments.host)?;
    let machine = machine(&roots, plan, (arguments, &surroundings))?;
    let mode = plan.mode.unwrap_or_else(|| Mode::of(&machine));
    terminal.debugging(&format!("mode {mode}"));
    let options = plan::observed(mode, plan, &machine.platform, (arguments, &surroundings));
    let snapshot = plan::trimmed(observe(mode, &roots, options)?, plan);
    let mut built = build::build(mode, &snapshot, &plan.choices)?;
    built.left_out.extend(missing_hooks(&built.spec, &roots.host));
    report(&built, terminal);
    // With --strict nothing incomplete takes the place of what is there.
    if built.left_out.is_empty() || !arguments.strict {
        write(&built.spec, arguments, plan, terminal)?;
    }
    Ok(built.left_out.len())
}

/// What `mode` reads. A Tegra board whose NVML does not answer has its lists still.
fn observe(mode: Mode, roots: &Roots, mut options: Options) -> Result<HostSnapshot, HostError> {
    match host::observe(roots, &options) {
        Err(HostError::Nvml(error)) if mode == Mode::Csv => {
            options.want.remove(&Want::Inventory);
            let mut snapshot = host::observe(roots, &options)?;
            let why = format!("is not asked, and the board's lists are taken for one gpu: {error}");
            snapshot.left_out.push(LeftOut { what: "nvml".into(), why });
            Ok(snapshot)
        }
        observed => observed,
    }
}

/// What the mode is chosen by, looked at only as far as something depends on it.
fn machine(
    roots: &Roots,
    plan: &Plan,
    (arguments, surroundings): (&Generate, &Surroundings),
) -> Result<HostSnapshot, HostError> {
    let look =
        |wants: &[Want]| host::observe(roots, &plan::options(wants.iter().copied(), arguments, surroundings));
    match plan.mode {
        Some(Mode::Csv) => look(&[Want::Platform]),
        Some(_) => Ok(HostSnapshot::default()),
        None => match look(&[Want::Machine])? {
            // A board's GPUs tell whether its lists are of them.
            seen if seen.platform.tegra => match look(&[Want::Platform])? {
                seen if seen.platform.nvml.is_some() => {
                    Ok(look(&[Want::Platform, Want::Inventory]).unwrap_or(seen))
                }
                seen => Ok(seen),
            },
            seen => Ok(seen),
        },
    }
}

pub(super) fn roots(arguments: &HostArgs) -> Result<Roots, GenerateError> {
    let dev = arguments.dev_root.as_ref().unwrap_or(&arguments.driver_root);
    Ok(Roots {
        host: Root::new(&arguments.host_root).map_err(GenerateError::Root)?,
        driver: arguments.driver_root.clone(),
        dev: dev.clone(),
    })
}

fn surroundings() -> Surroundings {
    let folders = |name: &str| -> Vec<PathBuf> {
        std::env::var_os(name).map(|value| std::env::split_paths(&value).collect()).unwrap_or_default()
    };
    let release = nix::sys::utsname::uname().map(|name| name.release().to_string_lossy().into_owned());
    Surroundings {
        programs: folders("PATH"),
        data: folders("XDG_DATA_DIRS"),
        kernel_release: release.unwrap_or_default(),
    }
}

/// Runtimes refuse to start a container whose hook is missing.
fn missing_hooks(spec: &Spec, host: &Root) -> Vec<LeftOut> {
    let is_there = |path: &str| {
        let facts = host.metadata(Path::new(path));
        facts.is_ok_and(|facts| facts.is_file() && facts.permissions().mode() & EXECUTABLE != 0)
    };
    let paths: BTreeSet<_> = spec.all_edits().flat_map(|edits| &edits.hooks).map(|hook| &hook.path).collect();
    let missing = paths.into_iter().filter(|path| !is_there(path));
    let why = "is no program of this host, so containers will not start; install it, or name it with --nvidia-cdi-hook-path";
    missing.map(|path| LeftOut { what: path.clone(), why: why.into() }).collect()
}

fn report(built: &Built, terminal: &mut Terminal) {
    for left in &built.left_out {
        terminal.warning(&format!("{} {}", left.what, left.why));
    }
}

fn write(
    spec: &Spec,
    arguments: &Generate,
    plan: &Plan,
    terminal: &mut Terminal,
) -> Result<(), GenerateError> {
    validate(spec).map_err(GenerateError::Invalid)?;
    let text = spec.render(plan.format);
    let Some(output) = &arguments.output else {
        return if terminal.print(text.as_bytes()) { Ok(()) } else { Err(GenerateError::Print) };
    };
    store::replace(output, text.as_bytes(), SPEC_MODE)?;
    if plan.features.contains(&Feature::Coherent) {
        write_coherent(spec, output, plan)?;
    }
    Ok(())
}

/// A file beside the output for each kind of coherence that some GPU has.
fn write_coherent(spec: &Spec, output: &Path, plan: &Plan) -> Result<(), GenerateError> {
    for wanted in [Coherent::Yes, Coherent::No] {
        if let Some(own) = build::coherent(spec, wanted)? {
            store::replace(&with_infix(output, wanted), own.render(plan.format).as_bytes(), SPEC_MODE)?;
        }
    }
    Ok(())
}

/// `nvidia.yaml` becomes `nvidia.coherent.yaml`.
fn with_infix(output: &Path, wanted: Coherent) -> PathBuf {
    let mut name = output.file_stem().unwrap_or_default().to_owned();
    name.push(format!(".{}", wanted.infix()));
    if let Some(suffix) = output.extension() {
        name.push(".");
        name.push(suffix);
    }
    output.with_file_name(name)
}
