//! Where cargo leaves the library, for programs and tests that put it into a node.

use std::path::{Path, PathBuf};

/// The file's name in a target folder; in a node it bears the driver's names.
pub const FILE_NAME: &str = "libberth_fake_nvml.so";

/// Places where the library may lie, for a program or test that cargo built, the freshest first: in `deps`, where
/// every build leaves it, then beside the program, where `cargo build -p berth-fake-nvml` and an archive leave it.
#[must_use]
pub fn beside(program: &Path) -> Vec<PathBuf> {
    let folder = program.parent().unwrap_or_else(|| Path::new("."));
    let deps = match folder.file_name() {
        Some(name) if name == "deps" => folder.to_owned(),
        _ => folder.join("deps"),
    };
    vec![deps.join(FILE_NAME), folder.join(FILE_NAME)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_and_a_program_find_the_same_file() {
        let wanted = Path::new("/t/debug/deps/libberth_fake_nvml.so");
        assert_eq!(beside(Path::new("/t/debug/deps/rig-0123")).first().map(PathBuf::as_path), Some(wanted));
        assert_eq!(beside(Path::new("/t/debug/berth-node")).first().map(PathBuf::as_path), Some(wanted));
    }
}
