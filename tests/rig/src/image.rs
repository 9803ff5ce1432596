//! Images of containers: no registry, one layer, made here.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use berth_packages::{Cache, FetchError, Program, ProgramError, preset::Preset};

use crate::{
    built::Built,
    files::{self, FilesError},
};

/// The image's name in a runtime.
pub const NAME: &str = "localhost/berth-probe:latest";
/// The image of which a pod itself is made: the same files, and a command that does nothing.
pub const PAUSE: &str = "localhost/berth-pause:latest";
const PAUSE_COMMAND: [&str; 3] = ["/bin/busybox", "sleep", "2147483647"];
const PACKING: Duration = Duration::from_secs(60);

/// What `nvidia-smi` and the driver's libraries need of the C library.
const LIBC: [&str; 6] =
    ["libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "librt.so.1", "libgcc_s.so.1"];
/// Where distributions keep it.
const LIBC_FOLDERS: [&str; 3] = ["/lib/x86_64-linux-gnu", "/lib64", "/usr/lib64"];
const LOADER: &str = "/lib64/ld-linux-x86-64.so.2";

/// An image that could not be made.
#[derive(Debug, thiserror::Error)]
pub enum ImageError {
    /// busybox is not to be had.
    #[error(transparent)]
    Fetch(#[from] FetchError),
    /// A file could not be made.
    #[error(transparent)]
    Files(#[from] FilesError),
    /// tar or sha256sum failed.
    #[error("the image could not be packed")]
    Pack(#[from] ProgramError),
}

/// Fills `folder` with a container's files: a static busybox, the probe, and this machine's C library, so that
/// NVIDIA's programs run and their libraries are found by the loader's cache alone.
///
/// Every file is the folder's own: tar refuses one that gets another name while it is read.
///
/// # Errors
/// [`ImageError`].
pub fn root(folder: &Path, cache: &Cache, built: &Built) -> Result<(), ImageError> {
    let busybox = Preset::Busybox.fetch(cache)?.join("bin/busybox");
    files::copy(&busybox, &folder.join("bin/busybox"))?;
    for name in ["sh", "ls", "cat", "env"] {
        files::link(&folder.join("bin").join(name), Path::new("busybox"))?;
    }
    files::copy(&built.probe, &folder.join("bin/berth-probe"))?;
    for name in ["dev", "proc", "sys", "tmp", "run", "etc"] {
        files::folder(&folder.join(name))?;
    }
    files::copy(Path::new(LOADER), &folder.join("lib64/ld-linux-x86-64.so.2"))?;
    for name in LIBC {
        let places = LIBC_FOLDERS.iter().map(|place| Path::new(place).join(name));
        if let Some(found) = places.into_iter().find(|place| place.exists()) {
            files::copy(&found, &folder.join("lib/x86_64-linux-gnu").join(name))?;
        }
    }
    Ok(())
}

/// Packs `root` into an archive as `docker save` makes it, in `work`: both images, of one layer.
///
/// # Errors
/// [`ImageError`].
pub fn pack(root: &Path, work: &Path) -> Result<PathBuf, ImageError> {
    let (layer, archive) = (work.join("layer.tar"), work.join("image.tar"));
    tar(root, &layer, &["."])?;
    let digest = Program::new("sha256sum").arguments([&layer]).run(PACKING)?;
    let digest = digest.split(' ').next().unwrap_or_default();
    files::text(&work.join("config.json"), &config(digest, &["/bin/berth-probe"]))?;
    files::text(&work.join("pause.json"), &config(digest, &PAUSE_COMMAND))?;
    let manifest = serde_json::json!([
        {"Config": "config.json", "RepoTags": [NAME], "Layers": ["layer.tar"]},
        {"Config": "pause.json", "RepoTags": [PAUSE], "Layers": ["layer.tar"]},
    ]);
    files::text(&work.join("manifest.json"), &manifest.to_string())?;
    tar(work, &archive, &["manifest.json", "config.json", "pause.json", "layer.tar"])?;
    Ok(archive)
}

fn config(digest: &str, command: &[&str]) -> String {
    serde_json::json!({
        "architecture": "amd64",
        "os": "linux",
        "config": {"Env": ["PATH=/bin:/usr/bin"], "Cmd": command},
        "rootfs": {"type": "layers", "diff_ids": [format!("sha256:{digest}")]},
    })
    .to_string()
}

fn tar(folder: &Path, archive: &Path, names: &[&str]) -> Result<(), ProgramError> {
    let tar = Program::new("tar").arguments(["--sort=name", "--mtime=@0", "--owner=0", "--group=0", "-C"]);
    tar.arguments([folder]).arguments(["-cf"]).arguments([archive]).arguments(names).run(PACKING).map(drop)
}
