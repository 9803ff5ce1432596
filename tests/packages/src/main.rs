//! `berth-packages`: fills the cache, and tells where things lie in it.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a command-line tool")]

use std::{error::Error, path::PathBuf, process::ExitCode};

use berth_packages::{Cache, cargo_tool, crictl, peer, preset::Preset, python};
use clap::Parser;

/// The release of cargo-deny that checks the dependencies.
const DENY: &str = "0.20.2";

/// Fetches software of others into the cache folder, if it is not there, and prints where each lies.
#[derive(Debug, Parser)]
#[command(name = "berth-packages", version)]
struct Arguments {
    /// The cache folder; else BERTH_CACHE, XDG_CACHE_HOME/berth or ~/.cache/berth.
    #[arg(long)]
    cache: Option<PathBuf>,
    /// Of driver-535, driver-550, containerd, runc, podman, busybox, python, peer, crictl, cargo-deny and
    /// cache (the folder itself); all that tests need if none is named.
    names: Vec<String>,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let cache = arguments.cache.map_or_else(Cache::of_user, Cache::at);
    let tests =
        Preset::ALL.iter().map(|preset| preset.name()).chain(["python", "peer", "crictl"]).map(str::to_owned);
    let names = if arguments.names.is_empty() { tests.collect() } else { arguments.names };
    for name in names {
        match one(&cache, &name) {
            Ok(path) => println!("{}", path.display()),
            Err(error) => {
                eprintln!("berth-packages: {name}: {}", chain(&*error));
                return ExitCode::FAILURE;
            }
        }
    }
    ExitCode::SUCCESS
}

fn one(cache: &Cache, name: &str) -> Result<PathBuf, Box<dyn Error>> {
    if let Some(preset) = Preset::ALL.into_iter().find(|preset| preset.name() == name) {
        return Ok(preset.fetch(cache)?);
    }
    match name {
        "python" => Ok(python(cache)?),
        "peer" => Ok(peer(cache)?.ctk),
        "crictl" => Ok(crictl(cache)?),
        "cargo-deny" => Ok(cargo_tool(cache, name, DENY)?),
        "cache" => Ok(cache.folder().to_path_buf()),
        _ => Err("no such thing; see berth-packages --help".into()),
    }
}

fn chain(error: &dyn Error) -> String {
    let (mut text, mut cause) = (error.to_string(), error.source());
    while let Some(error) = cause {
        text.push_str(&format!(": {error}"));
        cause = error.source();
    }
    text
}
