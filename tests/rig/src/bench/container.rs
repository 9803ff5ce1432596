//! A container's root as a runtime leaves it when hooks run: the image, and on it what the spec mounts.
#![expect(clippy::disallowed_methods, reason = "makes a container's root")]

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use berth_cdi::spec::Spec;

use super::BenchError;

/// A bundle with its root, made from one template again and again.
#[derive(Debug)]
pub struct ContainerRoot {
    template: PathBuf,
    bundle: PathBuf,
}

/// Folders that images have.
const IMAGE: [&str; 6] = ["etc", "proc/driver/nvidia", "run", "tmp", "dev", "usr/lib"];

impl ContainerRoot {
    /// A template in `folder` that holds what `spec` mounts, the files hard links or copies.
    ///
    /// # Errors
    /// [`BenchError::File`].
    pub fn new(folder: &Path, spec: &Spec) -> Result<Self, BenchError> {
        let made = Self { template: folder.join("template"), bundle: folder.join("bundle") };
        for below in IMAGE {
            let path = made.template.join(below);
            fs::create_dir_all(&path).map_err(BenchError::file(&path))?;
        }
        let params = made.template.join("proc/driver/nvidia/params");
        fs::write(&params, "ModifyDeviceFiles: 1\n").map_err(BenchError::file(&params))?;
        for mount in &spec.container_edits.mounts {
            let from = Path::new(&mount.host_path);
            let to = below(&made.template, &mount.container_path);
            if from.is_file() {
                place(from, &to).map_err(BenchError::file(&to))?;
            }
        }
        let config = made.bundle.join("config.json");
        fs::create_dir_all(&made.bundle).map_err(BenchError::file(&made.bundle))?;
        fs::write(&config, r#"{"ociVersion":"1.0.2","root":{"path":"rootfs"}}"#)
            .map_err(BenchError::file(&config))?;
        Ok(made)
    }

    /// The root, as the image has it, whatever was done to it before.
    ///
    /// # Errors
    /// [`BenchError::File`].
    pub fn fresh(&self) -> Result<PathBuf, BenchError> {
        let root = self.bundle.join("rootfs");
        match fs::remove_dir_all(&root) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(BenchError::file(&root)(error));
            }
            _ => {}
        }
        copy(&self.template, &root).map_err(BenchError::file(&root))?;
        Ok(root)
    }

    /// What the runtime tells a hook of the container.
    #[must_use]
    pub fn state(&self) -> String {
        let bundle = self.bundle.display();
        format!(r#"{{"ociVersion":"1.0.2","id":"bench","status":"creating","pid":1,"bundle":"{bundle}"}}"#)
    }
}

fn below(root: &Path, path: &str) -> PathBuf {
    root.join(path.trim_start_matches('/'))
}

fn place(from: &Path, to: &Path) -> io::Result<()> {
    to.parent().map(fs::create_dir_all).transpose()?;
    fs::hard_link(from, to).or_else(|_other_disk| fs::copy(from, to).map(drop))
}

/// A tree of folders with hard links to the files of another.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            place(&entry.path(), &target)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use berth_cdi::spec::Format;

    use super::*;

    #[test]
    fn a_fresh_root_has_the_specs_files_and_nothing_that_was_done_to_the_last() {
        let folder = tempfile::tempdir().expect("a folder");
        let library = folder.path().join("libcuda.so.1");
        fs::write(&library, "x").expect("a library");
        let text = format!(
            r#"{{"cdiVersion":"0.5.0","kind":"nvidia.com/gpu","devices":[],"containerEdits":{{"mounts":[
               {{"hostPath":"{}","containerPath":"/usr/lib/libcuda.so.1"}}]}}}}"#,
            library.display()
        );
        let spec = Spec::parse(text.as_bytes(), Format::Json).expect("a spec");
        let container = ContainerRoot::new(&folder.path().join("made"), &spec).expect("a template");
        let root = container.fresh().expect("a root");
        fs::write(root.join("etc/ld.so.cache"), "x").expect("a cache");
        let again = container.fresh().expect("a root");
        assert_eq!(root, again);
        assert!(again.join("usr/lib/libcuda.so.1").is_file() && !again.join("etc/ld.so.cache").exists());
        assert!(container.state().contains(&folder.path().join("made/bundle").display().to_string()));
    }
}
