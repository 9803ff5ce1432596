//! `berth-cdi` as people run it, on simulated nodes of every layout: what it writes, what it says, how it ends.
//!
//! The driver's files are stand-ins of one version, so that the specs are the same on every machine.

#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "runs a program and looks at real files"
)]

mod faults;
mod mig;
mod modes;
mod output;
mod specs;
mod truth;

use std::{
    ffi::OsStr,
    fs::{self, Permissions},
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    process::Command,
};

use berth_cdi::{
    build::DEFAULT_HOOK,
    spec::{Device, Format, Spec},
};
use berth_node::{
    Node, Recipe,
    driver::nvml_library::beside_program,
    layout::Layout,
    machine::{Feature, parse_gpus, place},
};

/// The program.
const PROGRAM: &str = env!("CARGO_BIN_EXE_berth-rig-command");

/// A node, and a folder beside it.
struct Simulated {
    node: Node,
    folder: tempfile::TempDir,
}

/// What a run of the program was.
struct Ran {
    code: i32,
    out: String,
    err: String,
}

impl Simulated {
    /// A node with these boards, as `recipe` changes it.
    fn new(layout: Layout, boards: &str, recipe: impl FnOnce(&mut Recipe)) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let gpus = place(&parse_gpus(boards).expect("boards"), &[]).expect("slots");
        let nvml = Some(beside_program().expect("the simulated NVML"));
        let mut made = Recipe { nvml, ..Recipe::new(layout, gpus) };
        recipe(&mut made);
        let node = Node::create(&folder.path().join("node"), &made).expect("a node");
        let simulated = Self { node, folder };
        simulated.install(DEFAULT_HOOK);
        simulated
    }

    /// A node that has everything that a node may have.
    fn full(layout: Layout, boards: &str) -> Self {
        Self::new(layout, boards, |recipe| {
            recipe.features = Feature::ALL.iter().map(|(feature, _)| *feature).collect();
        })
    }

    /// Where `in_root` is on disk.
    fn path(&self, in_root: impl AsRef<Path>) -> PathBuf {
        self.node.root().join(in_root.as_ref().strip_prefix("/").expect("absolute"))
    }

    /// A path outside the node.
    fn beside(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Puts a program at `in_root`, such as the hook that specs name.
    fn install(&self, in_root: &str) {
        let hook = self.path(in_root);
        fs::create_dir_all(hook.parent().expect("a folder")).expect("a folder");
        fs::write(&hook, "").expect("a hook");
        fs::set_permissions(&hook, Permissions::from_mode(0o755)).expect("a mode");
    }

    fn remove(&self, in_root: &str) {
        fs::remove_file(self.path(in_root)).expect("a file");
    }

    /// Runs `generate` with the roots of the node's layout and `arguments`.
    fn generate(&self, arguments: &[&str]) -> Ran {
        let layout = self.node.machine().layout;
        let mut command = command("generate");
        command.arg("--host-root").arg(self.node.root());
        command.arg("--driver-root").arg(layout.driver_root());
        command.arg("--dev-root").arg(layout.dev_root());
        ran(command.args(arguments))
    }

    /// Runs another sub-command on the node.
    fn run(&self, subcommand: &str, arguments: &[&OsStr]) -> Ran {
        ran(command(subcommand).arg("--host-root").arg(self.node.root()).args(arguments))
    }

    /// The spec that `generate` with `arguments` prints, with nothing left out.
    fn spec(&self, arguments: &[&str]) -> Spec {
        let ran = self.generate(arguments);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{arguments:?}");
        ran.spec()
    }
}

/// The program with an environment that is the same everywhere.
fn command(subcommand: &str) -> Command {
    let mut command = Command::new(PROGRAM);
    command.env_clear().env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin").arg(subcommand);
    command
}

fn ran(command: &mut Command) -> Ran {
    let output = command.output().expect("the program");
    Ran {
        code: output.status.code().expect("an end of its own"),
        out: String::from_utf8(output.stdout).expect("text"),
        err: String::from_utf8(output.stderr).expect("text"),
    }
}

impl Ran {
    fn spec(&self) -> Spec {
        Spec::parse(self.out.as_bytes(), Format::Yaml).expect("a spec")
    }
}

fn names(spec: &Spec) -> Vec<&str> {
    spec.devices.iter().map(|device| device.name.as_str()).collect()
}

fn device<'a>(spec: &'a Spec, name: &str) -> &'a Device {
    spec.devices.iter().find(|device| device.name.as_str() == name).expect("a device")
}

fn nodes(device: &Device) -> Vec<&str> {
    device.container_edits.device_nodes.iter().map(|node| node.path.as_str()).collect()
}
