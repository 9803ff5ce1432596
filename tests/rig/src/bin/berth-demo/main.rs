//! `berth-demo`: builds a simulated node, describes it with `berth-cdi`, starts a container with one GPU and one MIG
//! device on it in each runtime there is, and shows what the container sees and what it must not see.
//!
//! Exits with 1 if a container sees anything else than what was asked for.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a command-line tool")]

use std::{error::Error, process::ExitCode};

use berth_rig::{
    built::{Profile, beside},
    compare, demo,
    runtime::{Containerd, OciRuntime, Podman, Runtime, probe},
    station::{Plan, Station},
};

fn main() -> ExitCode {
    match show() {
        Ok(0) => ExitCode::SUCCESS,
        Ok(faults) => {
            eprintln!("berth-demo: {faults} things are not as they were asked for");
            ExitCode::FAILURE
        }
        Err(error) => {
            let mut text = error.to_string();
            let mut cause = error.source();
            while let Some(error) = cause {
                text.push_str(&format!(": {error}"));
                cause = error.source();
            }
            eprintln!("berth-demo: {text}");
            ExitCode::FAILURE
        }
    }
}

/// Runs the demonstration and answers how many things were wrong.
fn show() -> Result<usize, Box<dyn Error>> {
    println!(
        "== A node with eight GPUs, the last one cut in three (simulated; the driver's files are NVIDIA's)"
    );
    let plan = Plan { boards: demo::BOARDS, mig: &demo::MIG, real_driver: true };
    let station = Station::new(&plan, Profile::Dev, &beside("berth-rig-command"))?;
    let on_node = demo::on_the_node(&station)?;
    print!("{on_node}");
    println!("\n== berth-cdi generate --output {}", berth_rig::station::SPEC);
    let spec = station.generate()?;
    let names: Vec<&str> = spec.devices.iter().map(|device| device.name.as_str()).collect();
    println!("devices of {}/{}: {}", spec.kind.vendor(), spec.kind.class(), names.join(" "));
    let devices: Vec<String> = demo::DEVICES.iter().map(|name| format!("nvidia.com/gpu={name}")).collect();
    let devices: Vec<&str> = devices.iter().map(String::as_str).collect();
    let runtimes: [Box<dyn Runtime>; 2] =
        [Box::new(Podman::new(&station, OciRuntime::Runc)?), Box::new(Containerd::new(&station)?)];
    let host = station.gpu_nodes();
    let wanted = compare::wanted(&spec, &demo::DEVICES, &host);
    let mut count = 0;
    for runtime in &runtimes {
        println!("\n== A container with {} in {}", devices.join(" and "), runtime.name());
        let report = probe(&station, &**runtime, &devices)?;
        print!("{}", demo::render(&wanted, &host, &report));
        let listing = demo::in_a_container(&station, &**runtime, &devices)?;
        print!("nvidia-smi -L in it says\n{listing}");
        let faults = demo::faults(&wanted, &host, &report, (&on_node, &listing));
        faults.iter().for_each(|fault| println!("WRONG: {fault}"));
        count += faults.len();
        if faults.is_empty() {
            println!("All as asked for, and nothing else.");
        }
    }
    Ok(count)
}
