//! Generation, listener and daemon of a simulated node's root, each a program, as the daemon wants them:
//! `berth-rig-cdi generate|listen|watch ROOT`. Everything that people choose has its default.

#![expect(clippy::disallowed_types, clippy::disallowed_methods, reason = "a program of the test bench")]

use std::{
    env,
    error::Error,
    io::{self, Write},
    path::{Path, PathBuf},
    process::{Command, ExitCode},
};

use berth_cdi::{
    build::{Choices, Mode, build},
    host::{Options, Roots, Want, observe},
    root::Root,
    spec::Format,
    watch::{
        keeper::{Host, Target},
        relay::relay,
        start::{Environment, Setup, start},
    },
};

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let done = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["generate", root] => generate(Path::new(root)),
        ["listen", root] => listen(Path::new(root)),
        ["watch", root] => watch(Path::new(root)),
        _ => Err("wants generate, listen or watch, and a root".into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            say(&error.to_string());
            ExitCode::FAILURE
        }
    }
}

fn say(line: &str) {
    // A reader that went away has nothing to read.
    drop(writeln!(io::stderr(), "{line}"));
}

fn generate(root: &Path) -> Result<(), Box<dyn Error>> {
    let options = Options::new(Want::NVML, "6.1.0-berth");
    let snapshot = observe(&Roots::plain(Root::new(root)?), &options)?;
    let built = build(Mode::Nvml, &snapshot, &Choices::default())?;
    for left in &built.left_out {
        say(&format!("{}: {}", left.what, left.why));
    }
    Ok(io::stdout().write_all(built.spec.render(Format::Yaml).as_bytes())?)
}

fn listen(root: &Path) -> Result<(), Box<dyn Error>> {
    let root = Root::new(root)?;
    let snapshot = observe(&Roots::plain(root.clone()), &Options::new([Want::Platform], "6.1.0-berth"))?;
    let library = snapshot.platform.nvml.ok_or("no NVML library")?;
    match relay(&root.on_disk(&library), &mut io::stdout())? {}
}

fn watch(root: &Path) -> Result<(), Box<dyn Error>> {
    let program = env::current_exe()?;
    let command = |job: &str| {
        let mut command = Command::new(&program);
        command.args([Path::new(job), root]);
        command
    };
    let setup = Setup {
        generate: command("generate"),
        listen: Some(command("listen")),
        target: Target { path: root.join("run/cdi/nvidia.yaml"), format: Format::Yaml, mode: 0o644 },
        host: Host {
            root: Root::new(root)?,
            driver_root: PathBuf::from("/"),
            dev_root: PathBuf::from("/"),
            spec_folders: vec!["/etc/cdi".into(), "/run/cdi".into()],
        },
        runtime: root.join("run/berth"),
        manager: Environment { notify_socket: env::var("NOTIFY_SOCKET").ok(), ..Environment::default() },
    };
    Ok(start(setup, Box::new(say))?)
}
