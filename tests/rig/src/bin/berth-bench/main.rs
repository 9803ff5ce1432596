//! `berth-bench`: Berth beside NVIDIA's container toolkit. One line a figure with its goal:
//! `bench NAME FIGURE UNIT goal GOAL met|missed`; lines that start with `#` tell what lies behind.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a command-line tool")]

use std::{
    env,
    error::Error,
    path::{Path, PathBuf},
    process::ExitCode,
};

use berth_cdi::chain::chain;
use berth_node::{layout::Layout, machine::Feature};
use berth_packages::{Cache, peer, preset::Preset};
use berth_rig::{
    bench::{Aim, Programs, Report, Simulated, generate, hooks, library, sizes},
    built::{Profile, build},
    measure::worker,
};
use clap::Parser;

/// Seven times the smallest profile of an H100.
const SEVENTHS: [&str; 7] = ["1g.10gb"; 7];

/// Measures Berth beside NVIDIA's container toolkit on a simulated node. Root, and the network the first time.
#[derive(Debug, Parser)]
#[command(name = "berth-bench", version)]
struct Arguments {
    /// berth-cdi, optimised; else the one beside this program.
    #[arg(long)]
    berth_cdi: Option<PathBuf>,
    /// berth-cdi-hook, optimised and static; else it is built.
    #[arg(long)]
    hook: Option<PathBuf>,
    /// Pairs of runs for each figure.
    #[arg(long, default_value_t = 21)]
    runs: usize,
}

fn main() -> ExitCode {
    if env::args().nth(1).as_deref() == Some(worker::WORKER) {
        return worker::serve().map_or_else(|error| fail(&error), |()| ExitCode::SUCCESS);
    }
    match bench(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => fail(&chain(&*error)),
    }
}

fn bench(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let programs = programs(arguments)?;
    let (boards, runs) = ("8xh100-sxm-80gb", arguments.runs);
    let features = [Feature::Persistenced, Feature::Fabricmanager];
    tell(&sizes(&programs)?);
    let whole = Simulated::new(&programs, Layout::Debian, boards, &[], &features)?;
    println!("# {}", library("8-gpus", &programs, &whole)?);
    tell(&generate(
        &programs,
        &whole,
        runs,
        &Aim { name: "generate-8-gpus", faster: 20.0, smaller: Some(3.0) },
    )?);
    tell(&hooks(&programs, &whole, runs)?);
    drop(whole);
    let divided = Simulated::new(&programs, Layout::Debian, boards, &SEVENTHS, &features)?;
    println!("# {}", library("8x7-mig-devices", &programs, &divided)?);
    tell(&generate(
        &programs,
        &divided,
        runs,
        &Aim { name: "generate-8x7-mig", faster: 50.0, smaller: None },
    )?);
    Ok(())
}

fn programs(arguments: &Arguments) -> Result<Programs, Box<dyn Error>> {
    let own = env::current_exe()?;
    let beside = own.parent().unwrap_or_else(|| Path::new("."));
    let hook = arguments.hook.clone().map_or_else(|| build(Profile::Release).map(|built| built.hook), Ok)?;
    let cache = Cache::of_user();
    Ok(Programs {
        berth_cdi: arguments.berth_cdi.clone().unwrap_or_else(|| beside.join("berth-cdi")),
        hook,
        nvml: beside.join("libberth_fake_nvml.so"),
        nvml_client: beside.join("berth-fake-nvml-client"),
        peer: peer(&cache)?,
        driver: Preset::Driver550.fetch(&cache)?,
    })
}

fn tell(report: &Report) {
    report.notes.iter().for_each(|note| println!("# {note}"));
    report.figures.iter().for_each(|figure| println!("{figure}"));
}

fn fail(text: &str) -> ExitCode {
    eprintln!("berth-bench: {text}");
    ExitCode::FAILURE
}
