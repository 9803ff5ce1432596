//! Files that GPUDirect Storage needs beside its nodes.

use std::{fs::Metadata, path::Path};

use super::{place::Place, snapshot::FoundFile};

/// Where udev keeps what it knows of disks.
const UDEV: &str = "/run/udev";
/// Configuration of cuFile.
const CUFILE: &str = "/etc/cufile.json";

/// Those that the host has.
pub(super) fn observe(host: &Place) -> Vec<FoundFile> {
    let found = |path: &str, is_right: fn(&Metadata) -> bool| {
        let resolved = host.root.resolve(Path::new(path)).ok()?;
        host.root.metadata(&resolved).is_ok_and(|facts| is_right(&facts)).then(|| host.found(&resolved, path))
    };
    found(CUFILE, Metadata::is_file).into_iter().chain(found(UDEV, Metadata::is_dir)).collect()
}
