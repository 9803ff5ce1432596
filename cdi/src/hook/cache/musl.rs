//! musl's loader has no cache: it reads a list of folders.

use std::path::{Path, PathBuf};

use super::system;
use crate::hook::container::{Container, ContainerError, Modes};

/// Bytes of the list.
const MOST: usize = 64 << 10;
/// What musl searches when there is no list (ldso/dynlink.c).
const DEFAULT: &str = "/lib\n/usr/local/lib\n/usr/lib\n";

/// Adds folders, as far as they are there, to the list of a container that has musl; returns whether it changed.
pub(super) fn update(container: &Container, folders: &[PathBuf]) -> Result<bool, ContainerError> {
    if !container.has(&system::musl_loader()) {
        return Ok(false);
    }
    let path = PathBuf::from(format!("/etc/ld-musl-{}.path", system::MUSL));
    let held = match container.read(&path, MOST) {
        Err(error) if error.is_missing() => DEFAULT.to_owned(),
        answer => String::from_utf8_lossy(&answer?).into_owned(),
    };
    let there: Vec<PathBuf> = folders.iter().filter(|folder| container.has(folder)).cloned().collect();
    match with(&held, &there) {
        Some(list) => container.put_file(Path::new(&path), list.as_bytes(), Modes::PLAIN),
        None => Ok(false),
    }
}

/// The list with the folders behind it that it lacks; `None` when it has them all.
fn with(held: &str, folders: &[PathBuf]) -> Option<String> {
    let has = |folder: &Path| held.split([':', '\n']).any(|line| Path::new(line.trim()) == folder);
    let missing: Vec<_> = folders.iter().filter(|folder| !has(folder)).collect();
    if missing.is_empty() {
        return None;
    }
    let mut list = held.trim_end().to_owned() + "\n";
    list.extend(missing.iter().map(|folder| format!("{}\n", folder.display())));
    Some(list)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_added_once() {
        let folders = ["/usr/lib64".into(), "/usr/lib".into()];
        let list = with(DEFAULT, &folders).expect("one is missing");
        assert_eq!(list, "/lib\n/usr/local/lib\n/usr/lib\n/usr/lib64\n");
        assert_eq!(with(&list, &folders), None);
        assert_eq!(with("/lib:/usr/lib64:/usr/lib", &folders), None);
    }
}
