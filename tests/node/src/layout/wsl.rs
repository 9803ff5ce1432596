//! The files of Windows' subsystem for Linux: a bridge library, and the driver store of Windows.

use std::path::Path;

use crate::{
    driver::{ElfMachine, shared_object},
    machine::DriverVersion,
    tree::{Entry, Tree},
};

/// The folder that Windows mounts its driver store's packages in, and one package in it.
const STORE: &str = "/usr/lib/wsl/drivers/nv_dispi.inf_amd64_4f2a0f9be7d1c0a3";

/// Libraries and the store. Programs find the libraries in `/usr/lib/wsl/lib`.
pub(super) fn wsl(version: &DriverVersion) -> Tree {
    let mut tree = Tree::new();
    let library = |soname: &str| Entry::file(shared_object(ElfMachine::X86_64, Some(soname)), 0o644);
    for name in ["libdxcore.so", "libd3d12.so", "libd3d12core.so"] {
        tree.put(Path::new("/usr/lib/wsl/lib").join(name), library(name));
    }
    for line in include_str!("../../data/wsl-store.list").lines().filter(|line| !line.starts_with('#')) {
        let path = Path::new(STORE).join(line);
        let entry = match line {
            "nvidia-smi" => Entry::file(format!("#!/bin/sh\necho 'stand-in {version}'\n").into(), 0o755),
            name if name.contains(".so") => library(name),
            name => Entry::file(format!("stand-in for {name}\n").into(), 0o644),
        };
        tree.put(path, entry);
    }
    tree
}
