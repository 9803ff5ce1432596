//! Names of the driver's sockets below the kubelet's folder.
//!
//! Both end in `@localhost`: the kubelet's dialer sends the socket's path as `:authority`, and an HTTP/2 server
//! refuses one that is no `user@host` (seen with kubelet 1.37).

use std::path::{Path, PathBuf};

use super::DriverName;

/// Longest path that `sun_path` holds beside its final zero (unix(7)).
const MAX_PATH: usize = 107;

/// The two sockets of one driver.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sockets {
    /// The kubelet watches its folder and asks here who serves what.
    pub registrar: PathBuf,
    /// Serves claims.
    pub service: PathBuf,
}

/// Why the kubelet could not reach the driver.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SocketError {
    /// Linux cannot bind it.
    #[error("socket path {path} has {length} bytes, at most {MAX_PATH} fit; choose a shorter kubelet folder")]
    TooLong {
        /// The path.
        path: PathBuf,
        /// Its length in bytes.
        length: usize,
    },
}

impl Sockets {
    /// The sockets of `driver` below the kubelet's root folder, usually `/var/lib/kubelet`.
    ///
    /// # Errors
    /// [`SocketError::TooLong`] when a path would not fit into a socket address.
    pub fn below(kubelet: &Path, driver: &DriverName) -> Result<Self, SocketError> {
        let registrar = kubelet.join("plugins_registry").join(format!("{driver}-reg.sock@localhost"));
        let service = kubelet.join("plugins").join(driver.to_string()).join("dra.sock@localhost");
        Ok(Self { registrar: bindable(registrar)?, service: bindable(service)? })
    }
}

fn bindable(path: PathBuf) -> Result<PathBuf, SocketError> {
    match path.as_os_str().len() {
        length if length > MAX_PATH => Err(SocketError::TooLong { path, length }),
        _ => Ok(path),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn driver() -> DriverName {
        "gpu.nvidia.com".parse().expect("a driver name")
    }

    #[test]
    fn the_kubelet_finds_both_where_it_looks() {
        let sockets = Sockets::below(Path::new("/var/lib/kubelet"), &driver()).expect("short paths");
        let at = |path: &str| Path::new("/var/lib/kubelet").join(path);
        assert_eq!(sockets.registrar, at("plugins_registry/gpu.nvidia.com-reg.sock@localhost"));
        assert_eq!(sockets.service, at("plugins/gpu.nvidia.com/dra.sock@localhost"));
    }

    #[test]
    fn a_path_that_cannot_be_bound_is_named() {
        let folder = format!("/{}", "k".repeat(90));
        let error = Sockets::below(Path::new(&folder), &driver()).expect_err("too long");
        assert!(
            error.to_string().contains("plugins_registry/gpu.nvidia.com-reg.sock@localhost has"),
            "{error}"
        );
    }
}
