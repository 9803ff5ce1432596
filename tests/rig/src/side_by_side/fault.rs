//! What both programs make of a node on which something is broken.
#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "breaks nodes and runs programs")]

use std::{
    fs, io,
    path::{Path, PathBuf},
    process::Command,
};

use berth_cdi::spec::{Format, Spec};
use berth_fake_nvml::state::{GpuFault, State};
use berth_node::{Node, Recipe, enter::Namespace, layout::Layout, machine, nvml::MigChange};

use super::{CompareError, Programs};

/// One thing that is broken.
#[derive(Debug, Clone, Copy)]
pub struct Fault {
    /// What a person would say of it.
    pub name: &'static str,
    /// The GPUs.
    boards: &'static str,
    /// Every GPU is in MIG mode, with instances of these profiles.
    mig: Option<&'static [&'static str]>,
    /// Files that are not there.
    missing: &'static [&'static str],
    /// What NVML says instead.
    state: fn(&mut State),
    /// The device that suffers, if one does more than others.
    device: &'static str,
}

const FAULT: Fault =
    Fault { name: "", boards: "4xh200", mig: None, missing: &[], state: |_| {}, device: "3" };

/// All that are told of.
pub const FAULTS: [Fault; 9] = [
    Fault { name: "a GPU of four is lost", state: |state| set(state, GpuFault::Lost), ..FAULT },
    Fault {
        name: "a GPU of four has fallen off the bus",
        state: |state| set(state, GpuFault::FallenOff),
        ..FAULT
    },
    Fault { name: "the driver counts no GPU", state: |state| state.gpus.clear(), device: "0", ..FAULT },
    Fault { name: "every GPU is in MIG mode and has no instance", mig: Some(&[]), device: "0", ..FAULT },
    Fault { name: "a GPU has no node, but those for graphics", missing: &["/dev/nvidia3"], ..FAULT },
    Fault {
        name: "a GPU has no node at all",
        missing: &["/dev/nvidia3", "/dev/dri/card4", "/dev/dri/renderD131"],
        ..FAULT
    },
    Fault {
        name: "a MIG device has no capability nodes",
        boards: "h200",
        mig: Some(&["3g.71gb"]),
        missing: &["/dev/nvidia-caps/nvidia-cap12", "/dev/nvidia-caps/nvidia-cap13"],
        device: "0:0",
        ..FAULT
    },
    Fault { name: "nvidia-uvm has no node", missing: &["/dev/nvidia-uvm"], device: "none", ..FAULT },
    Fault {
        name: "the driver that runs is older than its files",
        state: |state| state.driver.version = "545.23.08".into(),
        device: "0",
        ..FAULT
    },
];

fn set(state: &mut State, fault: GpuFault) {
    if let Some(last) = state.gpus.last_mut() {
        last.fault = fault;
    }
}

/// What one program made of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// The devices that it described.
    pub devices: Vec<String>,
    /// The nodes of the device that suffers, if it is described.
    pub nodes: Option<Vec<String>>,
    /// Berth's warnings, and the error of either where there is no device.
    pub said: Vec<String>,
}

/// What both make of `fault`, Berth first.
///
/// # Errors
/// [`CompareError`], but for a program that describes nothing: that is its outcome.
pub fn outcomes(fault: &Fault, programs: &Programs) -> Result<(Outcome, Outcome), CompareError> {
    let folder = tempfile::Builder::new().prefix("berth-rig-").tempdir().map_err(CompareError::Folder)?;
    let node = Node::create(&folder.path().join("node"), &recipe(fault, programs)?)?;
    node.edit(fault.state)?;
    for path in fault.missing {
        let path = node.root().join(path.trim_start_matches('/'));
        fs::remove_file(&path).map_err(|error| CompareError::Change(path, error))?;
    }
    let hook = node.root().join("usr/bin/berth-cdi-hook");
    fs::copy(&programs.berth_cdi, &hook).map_err(|error| CompareError::Change(hook, error))?;
    let (ours, theirs, device) = (programs.berth_cdi.clone(), programs.nvidia_ctk.clone(), fault.device);
    Namespace::new(node.root())?.inside(move || {
        let berth = outcome(&ours, &["generate"], device)?;
        Ok((berth, outcome(&theirs, &["--quiet", "cdi", "generate"], device)?))
    })?
}

fn recipe(fault: &Fault, programs: &Programs) -> Result<Recipe, CompareError> {
    let gpus = machine::parse_gpus(fault.boards).and_then(|boards| machine::place(&boards, &[]));
    let gpus = gpus.map_err(|error| CompareError::Request(error.to_string()))?;
    let create = |profiles: &[&str]| -> Vec<MigChange> {
        let create = profiles.iter().filter_map(|profile| profile.parse().ok()).map(MigChange::Create);
        [MigChange::Enable].into_iter().chain(create).collect()
    };
    let mig = fault.mig.iter().flat_map(|profiles| gpus.iter().map(|gpu| (gpu.minor, create(profiles))));
    let mig = mig.collect();
    Ok(Recipe { nvml: Some(programs.nvml.clone()), mig, ..Recipe::new(Layout::Debian, gpus) })
}

fn outcome(program: &Path, before: &[&str], device: &str) -> Result<Outcome, CompareError> {
    let flags = ["--device-name-strategy", "index", "--format", "json"];
    let output = Command::new(program).args(before).args(flags).output();
    let output = output.map_err(|error: io::Error| CompareError::Start(PathBuf::from(program), error))?;
    let said = String::from_utf8_lossy(&output.stderr).lines().map(message).collect();
    if !output.status.success() {
        return Ok(Outcome { devices: Vec::new(), nodes: None, said });
    }
    let spec = Spec::parse(&output.stdout, Format::Json);
    let spec = spec.map_err(|error| CompareError::Spec(program.into(), error))?;
    let devices = spec.devices.iter().map(|device| device.name.to_string()).collect();
    let suffers = spec.devices.iter().find(|described| described.name.as_str() == device);
    let nodes = |edits: &berth_cdi::spec::ContainerEdits| -> Vec<String> {
        edits.device_nodes.iter().map(|node| node.path.clone()).collect()
    };
    Ok(Outcome { devices, nodes: suffers.map(|device| nodes(&device.container_edits)), said })
}

/// The message of a log line without its time, or the line.
fn message(line: &str) -> String {
    let quoted = line.split_once(" msg=\"").and_then(|(_, rest)| rest.strip_suffix('"'));
    quoted.unwrap_or(line).replace("\\\"", "\"")
}
