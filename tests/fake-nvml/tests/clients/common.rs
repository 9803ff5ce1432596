//! A node, and programs of others on it.
#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "files are put into place and programs are started"
)]

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use berth_fake_nvml::{
    library,
    state::{GpuConfig, NodeConfig, Options, Store},
};
use berth_packages::{Cache, Suite};

/// A node in a folder of its own; anyone may change it, so that the tests need not be root's.
pub(crate) struct Node {
    folder: tempfile::TempDir,
    pub(crate) store: Store,
}

/// What a program said.
#[derive(Debug)]
pub(crate) struct Said {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
}

impl Node {
    /// `count` boards of one product, under the driver that `nvidia-smi` belongs to.
    pub(crate) fn new(product: &str, count: usize) -> Self {
        let gpu = GpuConfig { product: product.into(), ..GpuConfig::default() };
        Self::of(vec![gpu; count])
    }

    pub(crate) fn of(gpus: Vec<GpuConfig>) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let options = Options { anyone_may_change: true, ..Options::default() };
        let config =
            NodeConfig { driver_version: smi_version(), gpus, options, ..NodeConfig::uniform("t4", 0) };
        let store = Store::create(&folder.path().join("state"), &config).expect("a state");
        let node = Self { folder, store };
        fs::create_dir(node.libraries()).expect("a folder");
        let program = env::current_exe().expect("a path");
        let built = library::beside(&program).into_iter().find(|place| place.exists());
        fs::copy(built.expect("cargo built the library"), node.library()).expect("a library");
        node
    }

    /// Where the library lies, for the loader.
    fn libraries(&self) -> PathBuf {
        self.folder.path().join("lib")
    }

    pub(crate) fn library(&self) -> PathBuf {
        self.libraries().join("libnvidia-ml.so.1")
    }

    /// A program that finds this node.
    pub(crate) fn command(&self, program: impl AsRef<Path>) -> Command {
        let mut command = Command::new(program.as_ref());
        command.env("LD_LIBRARY_PATH", self.libraries());
        command.env("BERTH_FAKE_NVML_STATE", self.store.directory());
        command
    }

    /// `nvidia-smi` with arguments.
    pub(crate) fn smi(&self, arguments: &[&str]) -> Said {
        said(&self.command(smi()).args(arguments).output().expect("nvidia-smi runs"))
    }

    /// What `nvidia-smi` prints when all is well.
    pub(crate) fn smi_prints(&self, arguments: &[&str]) -> String {
        let said = self.smi(arguments);
        assert_eq!(said.code, Some(0), "nvidia-smi {}\n{}", arguments.join(" "), said.out);
        said.out
    }

    /// A Python program that finds this node and NVIDIA's binding.
    pub(crate) fn python(&self, script: &str) -> Command {
        let mut command = self.command("python3");
        command.env("PYTHONPATH", binding()).args(["-B", "-c", script]);
        command
    }

    /// What a Python program prints when all is well.
    pub(crate) fn python_prints(&self, script: &str) -> String {
        let said = said(&self.python(script).output().expect("python3 runs"));
        assert_eq!(said.code, Some(0), "{}", said.out);
        said.out
    }
}

/// The program, and its errors, as one text.
fn said(output: &Output) -> Said {
    let texts = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text).into_owned());
    Said { code: output.status.code(), out: texts.concat() }
}

/// NVIDIA's program, from the distribution.
pub(crate) fn smi() -> PathBuf {
    let tree = berth_packages::fetch(&Cache::of_user(), Suite::Sid, &["nvidia-smi"]);
    tree.expect("the package nvidia-smi of Debian unstable, non-free")
        .join("usr/lib/nvidia/current/nvidia-smi")
}

/// NVIDIA's Python binding: a folder with `pynvml.py`.
pub(crate) fn binding() -> PathBuf {
    berth_packages::python(&Cache::of_user()).expect("the package nvidia-ml-py of the Python index")
}

/// The version that stands in the first line of its help, such as `550.163.01`.
fn smi_version() -> String {
    let help = said(&Command::new(smi()).arg("-h").output().expect("nvidia-smi runs"));
    let first = help.out.lines().next().unwrap_or_default();
    first.rsplit('v').next().expect("a version").to_owned()
}

/// Times are of no matter, and the driver's version moves with the distribution.
pub(crate) fn stable() -> insta::Settings {
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.add_filter(r"(Mon|Tue|Wed|Thu|Fri|Sat|Sun) \w{3} [ \d]\d \d\d:\d\d:\d\d \d{4} *", "[time]");
    settings.add_filter(r"\b5\d\d\.\d+\.\d+\b", "[driver]");
    settings.add_filter(r"[ \t]+\n", "\n");
    settings
}
