//! The place of a driver's file in layouts other than Debian's.

use std::path::{Path, PathBuf};

use super::file::{DriverFile, DriverFileKind};
use crate::tree::Entry;

/// The folders of a layout that installs the driver's files side by side.
#[derive(Debug, Clone, Copy)]
pub struct Places {
    /// 64-bit libraries.
    pub lib: &'static str,
    /// 32-bit libraries.
    pub lib32: &'static str,
    /// Programs.
    pub bin: &'static str,
}

/// A driver's file at another place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flat {
    /// Absolute path.
    pub path: PathBuf,
    /// The file or link itself.
    pub entry: Entry,
}

/// Where `file` of a Debian package goes in a layout with these folders, or `None` for a file that
/// other distributions do not have.
#[must_use]
pub fn flat(file: &DriverFile, places: Places) -> Option<Flat> {
    let name = file.path.file_name()?.to_str()?;
    let path = match (file.kind, name) {
        (_, "nvidia.ids") => return None,
        (_, "nvidia-drm_gbm.so") => return Some(backend(places)),
        (_, "nvidia-drm-outputclass.conf") => Path::new("/usr/share/X11/xorg.conf.d").join(name),
        (DriverFileKind::Library, _) => library(&file.path, places)?.join(name),
        (DriverFileKind::Program, _) => Path::new(places.bin).join(name),
        (DriverFileKind::Data, _) => file.path.clone(),
    };
    Some(Flat { path, entry: file.entry.clone() })
}

fn library(path: &Path, places: Places) -> Option<PathBuf> {
    let name = path.file_name()?.to_str()?;
    let base = if path.starts_with("/usr/lib/i386-linux-gnu") { places.lib32 } else { places.lib };
    let below = match name {
        "nvidia_drv.so" => "xorg/modules/drivers",
        _ if name.starts_with("libglxserver_nvidia") => "xorg/modules/extensions",
        _ if name.starts_with("libvdpau_nvidia") => "vdpau",
        _ => "",
    };
    Some(Path::new(base).join(below))
}

/// Mesa's loader looks for the back end in a folder of its own (libgbm's `gbm` folder).
fn backend(places: Places) -> Flat {
    Flat {
        path: Path::new(places.lib).join("gbm/nvidia-drm_gbm.so"),
        entry: Entry::Link { target: "../libnvidia-allocator.so.1".into() },
    }
}
