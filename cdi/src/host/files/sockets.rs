//! Sockets and pipe folders of the driver's daemons, below the driver root or, where it has none, the host's.

use std::{fs::FileType, os::unix::fs::FileTypeExt as _, path::Path};

use super::super::{
    place::{Notes, Place},
    snapshot::FoundFile,
};
use crate::root::Root;

const PERSISTENCED: [&str; 2] = ["/run/nvidia-persistenced/socket", "/var/run/nvidia-persistenced/socket"];
const FABRICMANAGER: [&str; 2] = ["/run/nvidia-fabricmanager/socket", "/var/run/nvidia-fabricmanager/socket"];
/// Default `CUDA_MPS_PIPE_DIRECTORY`: a folder that holds the control daemon's pipes.
const MPS: [&str; 1] = ["/tmp/nvidia-mps"];

/// The first place of each that exists.
pub(super) fn observe(host: &Root, driver: &Place, notes: &mut Notes) -> Vec<FoundFile> {
    let host = Place::new(host, Path::new("/"));
    let places: Vec<&Place> = [driver].into_iter().chain(host.as_ref().ok()).collect();
    let mut found = Vec::new();
    let mut put = |paths: &[&str], is_right: fn(&FileType) -> bool| {
        found.extend(places.iter().find_map(|place| first(place, paths, is_right, notes)));
    };
    put(&PERSISTENCED, FileType::is_socket);
    put(&FABRICMANAGER, FileType::is_socket);
    put(&MPS, FileType::is_dir);
    found
}

fn first(
    place: &Place,
    paths: &[&str],
    is_right: fn(&FileType) -> bool,
    notes: &mut Notes,
) -> Option<FoundFile> {
    paths.iter().find_map(|path| {
        let resolved = notes.unless_missing(place.root.resolve(Path::new(path)))?;
        let facts = notes.unless_missing(place.root.metadata(&resolved))?;
        if is_right(&facts.file_type()) {
            return Some(place.found(&resolved, *path));
        }
        notes.leave(
            place.host_path(&resolved).display(),
            "is not what the driver's daemon makes there; remove it",
        );
        None
    })
}
