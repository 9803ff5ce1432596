//! Which container: the state that the runtime writes to the hook, and the bundle that it names.
//!
//! Both come from the runtime, not from the image (OCI runtime specification, *State* and *Root*).

#![expect(clippy::disallowed_types, reason = "reads the runtime's files")]

use std::{
    fs::File,
    io::{self, Read},
    path::{Path, PathBuf},
};

use serde::Deserialize;

/// Longest state; runtimes write about a kilobyte, annotations may add to it.
const MOST_STATE: u64 = 1 << 20;
/// Longest configuration; Kubernetes' are about 30 kB.
const MOST_CONFIG: u64 = 16 << 20;

/// Why the root is not known.
#[derive(Debug, thiserror::Error)]
pub enum StateError {
    /// The state did not come, or is too long.
    #[error(
        "cannot read the container's state on the standard input; run this program as a hook of a container"
    )]
    Input(#[source] io::Error),
    /// Not the form of the specification.
    #[error("the container's state is no OCI state; run this program as a hook of a container")]
    State(#[source] serde_json::Error),
    /// Neither `root` nor `bundle`.
    #[error("the container's state names neither bundle nor root; update the container runtime")]
    NoBundle,
    /// The bundle's configuration.
    #[error("cannot read {path}; check the bundle that the runtime made")]
    Config {
        /// Of the file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// Not the form of the specification.
    #[error("{path} is no OCI configuration with a root; check the bundle that the runtime made")]
    NoRoot {
        /// Of the file.
        path: PathBuf,
        /// Where it ends to be one.
        source: serde_json::Error,
    },
}

#[derive(Deserialize)]
struct State {
    bundle: Option<PathBuf>,
    /// An addition of crun's.
    root: Option<PathBuf>,
}

#[derive(Deserialize)]
struct Config {
    root: Root,
}

#[derive(Deserialize)]
struct Root {
    path: PathBuf,
}

/// The root folder of the container whose state is on `input`, as the host's path.
///
/// # Errors
/// [`StateError`] when state or bundle cannot be read, or name no root.
pub fn root_of(input: impl Read) -> Result<PathBuf, StateError> {
    let bytes = bounded(input, MOST_STATE).map_err(StateError::Input)?;
    let state: State = serde_json::from_slice(&bytes).map_err(StateError::State)?;
    if let Some(root) = state.root.filter(|root| root.is_absolute()) {
        return Ok(root);
    }
    let bundle = state.bundle.filter(|bundle| bundle.is_absolute()).ok_or(StateError::NoBundle)?;
    let path = bundle.join("config.json");
    let config = File::open(&path).and_then(|file| bounded(file, MOST_CONFIG));
    let config = config.map_err(|source| StateError::Config { path: path.clone(), source })?;
    let config: Config =
        serde_json::from_slice(&config).map_err(|source| StateError::NoRoot { path, source })?;
    Ok(joined(&bundle, &config.root.path))
}

/// A relative root lies in the bundle.
fn joined(bundle: &Path, root: &Path) -> PathBuf {
    bundle.join(root)
}

fn bounded(input: impl Read, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take(limit + 1).read_to_end(&mut bytes)?;
    if u64::try_from(bytes.len()).is_ok_and(|length| length <= limit) {
        return Ok(bytes);
    }
    Err(io::Error::new(io::ErrorKind::FileTooLarge, format!("more than {limit} bytes")))
}

#[cfg(test)]
mod tests {
    #![expect(clippy::disallowed_methods, reason = "makes real bundles")]

    use std::fs;

    use super::*;

    fn message(input: &str) -> String {
        root_of(input.as_bytes()).expect_err(input).to_string()
    }

    #[test]
    fn the_root_is_the_runtimes_or_the_bundles() {
        let bundle = tempfile::tempdir().expect("a folder");
        let config = bundle.path().join("config.json");
        let state =
            format!(r#"{{"ociVersion":"1.2.0","id":"x","status":"created","bundle":{:?}}}"#, bundle.path());
        for (root, wanted) in [("rootfs", bundle.path().join("rootfs")), ("/var/lib/x", "/var/lib/x".into())]
        {
            fs::write(&config, format!(r#"{{"process":{{}},"root":{{"path":"{root}","readonly":true}}}}"#))
                .expect("a file");
            assert_eq!(root_of(state.as_bytes()).expect("a root"), wanted);
        }
        let own = r#"{"bundle":"/gone","root":"/merged"}"#;
        assert_eq!(root_of(own.as_bytes()).expect("a root"), Path::new("/merged"));
    }

    #[test]
    fn what_names_no_root_is_refused_with_a_sentence() {
        for (input, wanted) in [
            ("", "the container's state is no OCI state; run this program as a hook of a container"),
            ("[]", "the container's state is no OCI state; run this program as a hook of a container"),
            ("{}", "the container's state names neither bundle nor root; update the container runtime"),
            (
                r#"{"bundle":"relative"}"#,
                "the container's state names neither bundle nor root; update the container runtime",
            ),
            (
                r#"{"bundle":"/nowhere"}"#,
                "cannot read /nowhere/config.json; check the bundle that the runtime made",
            ),
        ] {
            assert_eq!(message(input), wanted);
        }
        let bundle = tempfile::tempdir().expect("a folder");
        fs::write(bundle.path().join("config.json"), "{}").expect("a file");
        let told = message(&format!(r#"{{"bundle":{:?}}}"#, bundle.path()));
        assert!(
            told.ends_with("is no OCI configuration with a root; check the bundle that the runtime made"),
            "{told}"
        );
    }

    #[test]
    fn a_state_without_end_is_refused() {
        let error = root_of(io::repeat(b' ')).expect_err("no end");
        assert!(matches!(error, StateError::Input(_)), "{error}");
    }
}
