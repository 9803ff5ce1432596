//! Stand-ins for the driver's files: the names of the real ones, small content of our own.

use std::path::{Path, PathBuf};

use super::{
    elf::{Machine, shared_object},
    file::{DriverFile, DriverFileKind},
};
use crate::{machine::DriverVersion, tree::Entry};

/// All files of a driver of this version.
#[must_use]
pub fn files(version: &DriverVersion) -> Vec<DriverFile> {
    lines(include_str!("../../data/driver.list"), version)
        .iter()
        .filter_map(|line| file(line, version))
        .collect()
}

/// The 32-bit libraries of a driver of this version: no package of this architecture has them.
#[must_use]
pub fn compat32(version: &DriverVersion) -> Vec<DriverFile> {
    lines(include_str!("../../data/compat32.list"), version)
        .iter()
        .filter_map(|line| file(line, version))
        .collect()
}

fn lines(list: &str, version: &DriverVersion) -> Vec<String> {
    let lines = list.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| line.replace("{V}", &version.to_string())).collect()
}

fn file(line: &str, version: &DriverVersion) -> Option<DriverFile> {
    let mut words = line.split(' ');
    let (kind, path) = (words.next()?, PathBuf::from(words.next()?));
    let more = words.next().unwrap_or_default();
    let (kind, entry) = match kind {
        "lib" => (DriverFileKind::Library, Entry::file(library(&path, more), 0o644)),
        "link" => (DriverFileKind::Library, Entry::Link { target: more.into() }),
        "run" => (DriverFileKind::Program, Entry::file(program(&path, version), 0o755)),
        _ => (DriverFileKind::Data, Entry::file(data(&path), 0o644)),
    };
    Some(DriverFile { path, kind, entry })
}

fn library(path: &Path, soname: &str) -> Vec<u8> {
    let narrow = path.components().any(|part| part.as_os_str() == "i386-linux-gnu");
    let machine = if narrow { Machine::I386 } else { Machine::X86_64 };
    shared_object(machine, Some(soname).filter(|soname| *soname != "-"))
}

fn program(path: &Path, version: &DriverVersion) -> Vec<u8> {
    let name = path.file_name().unwrap_or_default().display();
    format!("#!/bin/sh\necho '{name}: a stand-in for the program of driver {version}'\n").into_bytes()
}

fn data(path: &Path) -> Vec<u8> {
    let library = match path.file_name().and_then(|name| name.to_str()).unwrap_or_default() {
        "10_nvidia.json" => "libEGL_nvidia.so.0",
        "nvidia_icd.json" | "nvidia_layers.json" => "libGLX_nvidia.so.0",
        "15_nvidia_gbm.json" => "libnvidia-egl-gbm.so.1",
        "10_nvidia_wayland.json" => "libnvidia-egl-wayland.so.1",
        "nvidia.icd" => return b"libnvidia-opencl.so.1\n".into(),
        name => return format!("stand-in for {name}\n").into_bytes(),
    };
    format!("{{\"file_format_version\": \"1.0.0\", \"ICD\": {{\"library_path\": \"{library}\"}}}}\n")
        .into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_carry_the_version_and_every_link_leads_to_a_file() {
        let files = files(&"999.88.77".parse().expect("a version"));
        let has = |path: &Path| files.iter().any(|file| file.path == path);
        assert!(has(Path::new("/usr/lib/x86_64-linux-gnu/nvidia/current/libcuda.so.999.88.77")));
        for file in &files {
            if let Entry::Link { target } = &file.entry {
                assert!(
                    has(&file.path.with_file_name(target)),
                    "{} -> {}",
                    file.path.display(),
                    target.display()
                );
            }
        }
    }
}
