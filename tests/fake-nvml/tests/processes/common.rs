//! A node in a temporary tree, and processes on it.
#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the tree is made and processes are started"
)]

use std::{
    env, fs,
    io::{BufRead, BufReader, Write},
    path::PathBuf,
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
};

use berth_fake_nvml::{
    library,
    state::{NodeConfig, Store},
};

/// A node: its state, and the library at a driver's place, which finds the state by its own path.
pub(crate) struct Node {
    root: tempfile::TempDir,
    pub(crate) store: Store,
}

impl Node {
    pub(crate) fn new(config: &NodeConfig) -> Self {
        let root = tempfile::tempdir().expect("a root");
        let store = Store::create(&root.path().join(".berth-node/nvml"), config).expect("a state");
        let node = Self { root, store };
        fs::create_dir_all(node.library().parent().expect("a folder")).expect("a folder");
        fs::copy(built(), node.library()).expect("a library");
        node
    }

    pub(crate) fn library(&self) -> PathBuf {
        self.root.path().join("usr/lib/x86_64-linux-gnu/libnvidia-ml.so.1")
    }

    /// A process with the library loaded.
    pub(crate) fn client(&self) -> Client {
        let mut child = Command::new(env!("CARGO_BIN_EXE_berth-fake-nvml-client"))
            .arg(self.library())
            .env_remove("BERTH_FAKE_NVML_STATE")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a client");
        let (input, output) = (child.stdin.take().expect("a pipe"), child.stdout.take().expect("a pipe"));
        Client { child, input: Some(input), output: BufReader::new(output) }
    }
}

/// The library as cargo built it.
pub(crate) fn built() -> PathBuf {
    let program = env::current_exe().expect("a path");
    let places = library::beside(&program);
    places.into_iter().find(|place| place.exists()).expect("cargo built the library before its tests")
}

/// A process that answers commands, one line each.
pub(crate) struct Client {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Client {
    pub(crate) fn ask(&mut self, line: &str) -> String {
        self.send(line);
        self.receive()
    }

    pub(crate) fn send(&mut self, lines: &str) {
        writeln!(self.input.as_mut().expect("open"), "{lines}").expect("a client that reads");
    }

    pub(crate) fn receive(&mut self) -> String {
        let mut answer = String::new();
        self.output.read_line(&mut answer).expect("an answer");
        answer.trim_end().to_owned()
    }
}

impl Drop for Client {
    /// The end of its input ends a client.
    fn drop(&mut self) {
        drop(self.input.take());
        drop(self.child.wait());
    }
}
