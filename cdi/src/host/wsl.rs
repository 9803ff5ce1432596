//! WSL: the bridge library and the driver store of Windows.
//!
//! The store is found by its folder, which Windows mounts as a whole: a package with NVIDIA's CUDA library is the
//! driver's. The bridge library could tell, but only inside a running WSL.

use std::path::{Path, PathBuf};

use super::{
    place::{Notes, Place},
    platform::DXCORE,
    snapshot::{Link, WslFiles},
};
use crate::root::Entry;

const STORE: &str = "/usr/lib/wsl/drivers";
/// What tells NVIDIA's package from those of other vendors.
const TELLING: [&str; 2] = ["libcuda.so.1.1", "libnvidia-ml.so.1"];
const PROGRAM: &str = "nvidia-smi";
const PROGRAM_LINK: &str = "/usr/bin/nvidia-smi";

/// Bridge library, files of the driver's package and the link to its program.
pub(super) fn observe(driver: &Place, notes: &mut Notes) -> WslFiles {
    let mut files = WslFiles::default();
    let bridge = DXCORE.iter().find_map(|path| driver.root.resolve(Path::new(path)).ok());
    files.files.extend(bridge.map(|path| driver.found(&path, path.clone())));
    let Some(package) = package(driver, notes) else { return files };
    let entries =
        notes.unless_missing(driver.root.read_dir_where(&package, is_for_linux)).unwrap_or_default();
    for path in entries.iter().filter_map(|entry| regular(driver, &package, entry)) {
        if path.file_name().is_some_and(|name| name == PROGRAM) {
            let target = path.to_str().map(str::to_owned);
            files.links.extend(target.map(|target| Link { target, link: PROGRAM_LINK.into() }));
        }
        files.files.push(driver.found(&path, path.clone()));
    }
    files.files.sort_unstable_by(|a, b| a.container.cmp(&b.container));
    files
}

/// The newest package of NVIDIA's; older ones stay in the store after an upgrade.
fn package(driver: &Place, notes: &mut Notes) -> Option<PathBuf> {
    let entries = notes.unless_missing(driver.root.read_dir(Path::new(STORE)))?;
    let folders = entries.iter().map(|entry| Path::new(STORE).join(&entry.name));
    let mut packages: Vec<_> = folders
        .filter(|folder| TELLING.iter().any(|file| driver.root.resolve(&folder.join(file)).is_ok()))
        .filter_map(|folder| Some((driver.root.metadata(&folder).ok()?.modified().ok()?, folder)))
        .collect();
    packages.sort_unstable();
    let (_, newest) = packages.pop()?;
    for (_, older) in packages {
        let why = format!(
            "holds an older driver than {}; reinstall the driver in Windows if that is wrong",
            newest.display()
        );
        notes.leave(driver.host_path(&older).display(), why);
    }
    Some(newest)
}

fn is_for_linux(name: &[u8]) -> bool {
    let has = |part: &[u8]| name.windows(part.len()).any(|window| window == part);
    has(b".so") || name.ends_with(b".bin") || name.ends_with(b".dll") || name == PROGRAM.as_bytes()
}

fn regular(driver: &Place, folder: &Path, entry: &Entry) -> Option<PathBuf> {
    let resolved = driver.root.resolve(&folder.join(&entry.name)).ok()?;
    driver.root.metadata(&resolved).is_ok_and(|facts| facts.is_file()).then_some(resolved)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::disallowed_methods, reason = "makes real files")]

    use std::fs;

    use super::*;
    use crate::root::Root;

    #[test]
    fn the_package_with_cuda_is_the_drivers() {
        let folder = tempfile::tempdir().expect("a folder");
        for (package, files) in [
            ("iigd_dch.inf", &["libze_loader.so"][..]),
            (
                "nv_dispi.inf",
                &["libcuda.so.1.1", "nvcubins.bin", "nvidia-smi", "nvlddmkm.sys", "nvwgf2umx.dll"],
            ),
        ] {
            let package = folder.path().join("usr/lib/wsl/drivers").join(package);
            fs::create_dir_all(&package).expect("folders");
            files.iter().for_each(|file| fs::write(package.join(file), "").expect("a file"));
        }
        fs::create_dir_all(folder.path().join("usr/lib/wsl/lib")).expect("folders");
        fs::write(folder.path().join("usr/lib/wsl/lib/libdxcore.so"), "").expect("a file");
        let root = Root::new(folder.path()).expect("a root");
        let place = Place::new(&root, Path::new("/")).expect("a place");
        let mut notes = Notes::default();
        let found = observe(&place, &mut notes);
        let names: Vec<_> = found.files.iter().map(|file| file.container.to_str().expect("ASCII")).collect();
        let store = "/usr/lib/wsl/drivers/nv_dispi.inf";
        assert_eq!(
            names,
            [
                format!("{store}/libcuda.so.1.1"),
                format!("{store}/nvcubins.bin"),
                format!("{store}/nvidia-smi"),
                format!("{store}/nvwgf2umx.dll"),
                "/usr/lib/wsl/lib/libdxcore.so".into(),
            ]
        );
        assert_eq!(found.links, [Link { target: format!("{store}/nvidia-smi"), link: PROGRAM_LINK.into() }]);
        assert_eq!(notes.left_out, []);
    }
}
