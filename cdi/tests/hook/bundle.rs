//! A bundle in a temporary folder, with a tree outside of its root that no hook may touch.

#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "makes real trees and runs the hook"
)]

use std::{
    collections::BTreeMap,
    fs,
    io::Write as _,
    os::unix::{ffi::OsStrExt as _, fs::MetadataExt as _, fs::symlink},
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// Mode, owner, and the content or what a link says, by path.
pub(crate) type Tree = BTreeMap<PathBuf, (u32, u32, Vec<u8>)>;

pub(crate) struct Bundle {
    folder: tempfile::TempDir,
}

#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) status: Option<i32>,
    pub(crate) stderr: String,
}

impl Bundle {
    /// An empty root beside `outside`, which stands for the host.
    pub(crate) fn new() -> Self {
        let bundle = Self { folder: tempfile::tempdir().expect("a folder") };
        fs::create_dir_all(bundle.root()).expect("a root");
        fs::write(bundle.folder.path().join("bundle/config.json"), r#"{"root":{"path":"rootfs"}}"#)
            .expect("a file");
        for folder in ["etc/ld.so.conf.d", "lib", "empty"] {
            fs::create_dir_all(bundle.outside().join(folder)).expect("a folder");
        }
        for file in ["etc/ld.so.cache", "etc/ld.so.conf", "secret", "lib/libhost.so.1"] {
            fs::write(bundle.outside().join(file), "the host's").expect("a file");
        }
        bundle
    }

    /// Like a distribution's image without any library.
    pub(crate) fn debian() -> Self {
        let bundle = Self::new();
        for folder in ["dev", "etc/ld.so.conf.d", "usr/bin", "usr/lib/x86_64-linux-gnu", "usr/lib64"] {
            bundle.make(folder);
        }
        bundle.link("usr/lib", "/lib");
        bundle.link("usr/lib64", "/lib64");
        bundle.link("usr/bin", "/bin");
        bundle.write("/etc/debian_version", b"12.0\n");
        bundle.write("/etc/ld.so.conf", b"include /etc/ld.so.conf.d/*.conf\n\n");
        bundle.write("/etc/ld.so.conf.d/libc.conf", b"# libc default configuration\n/usr/local/lib\n");
        bundle.write(
            "/etc/ld.so.conf.d/x86_64-linux-gnu.conf",
            b"/usr/local/lib/x86_64-linux-gnu\n/lib/x86_64-linux-gnu\n/usr/lib/x86_64-linux-gnu\n",
        );
        bundle
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.folder.path().join("bundle/rootfs")
    }

    pub(crate) fn outside(&self) -> PathBuf {
        self.folder.path().join("outside")
    }

    pub(crate) fn at(&self, path: &str) -> PathBuf {
        self.root().join(path.trim_start_matches('/'))
    }

    pub(crate) fn make(&self, folder: &str) {
        fs::create_dir_all(self.at(folder)).expect(folder);
    }

    pub(crate) fn write(&self, path: &str, bytes: &[u8]) {
        fs::create_dir_all(self.at(path).parent().expect("a folder")).expect(path);
        fs::write(self.at(path), bytes).expect(path);
    }

    pub(crate) fn link(&self, target: impl AsRef<Path>, link: &str) {
        symlink(target, self.at(link)).expect(link);
    }

    pub(crate) fn says(&self, link: &str) -> Option<PathBuf> {
        fs::read_link(self.at(link)).ok()
    }

    pub(crate) fn text(&self, path: &str) -> String {
        fs::read_to_string(self.at(path)).expect(path)
    }

    pub(crate) fn state(&self) -> String {
        format!(r#"{{"ociVersion":"1.2.0","id":"x","bundle":{:?}}}"#, self.folder.path().join("bundle"))
    }

    /// Runs the hook on this bundle.
    pub(crate) fn run(&self, words: &[&str]) -> Outcome {
        run(words, &self.state(), &[])
    }

    /// Runs the hook, which must succeed without a word.
    pub(crate) fn done(&self, words: &[&str]) {
        let outcome = self.run(words);
        assert_eq!((outcome.status, outcome.stderr.as_str()), (Some(0), ""), "{words:?}");
    }

    /// Everything below the root.
    pub(crate) fn inside(&self) -> Tree {
        tree(&self.root())
    }

    /// Everything that is not the container's.
    pub(crate) fn canary(&self) -> Tree {
        tree(&self.outside())
    }
}

/// Runs the hook with a state and an environment.
pub(crate) fn run(words: &[&str], state: &str, environment: &[(&str, &str)]) -> Outcome {
    let mut command = Command::new(env!("CARGO_BIN_EXE_berth-cdi-hook"));
    command.args(words).env_clear().envs(environment.iter().copied());
    finish(command, state)
}

/// Runs a command that ends up as the hook.
pub(crate) fn finish(mut command: Command, state: &str) -> Outcome {
    let process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut process = process.spawn().expect("a process");
    let mut input = process.stdin.take().expect("a pipe");
    // The hook may end before it has read everything.
    drop(input.write_all(state.as_bytes()));
    drop(input);
    let output = process.wait_with_output().expect("its end");
    Outcome { status: output.status.code(), stderr: String::from_utf8_lossy(&output.stderr).into_owned() }
}

fn tree(folder: &Path) -> Tree {
    let mut tree = Tree::new();
    let mut ahead = vec![folder.to_path_buf()];
    while let Some(path) = ahead.pop() {
        let facts = fs::symlink_metadata(&path).expect("facts");
        let content = if facts.is_symlink() {
            fs::read_link(&path).expect("a link").as_os_str().as_bytes().to_vec()
        } else if facts.is_file() {
            fs::read(&path).expect("a file")
        } else {
            Vec::new()
        };
        if facts.is_dir() {
            ahead.extend(fs::read_dir(&path).expect("a folder").map(|entry| entry.expect("an entry").path()));
        }
        tree.insert(path, (facts.mode(), facts.uid(), content));
    }
    tree
}
