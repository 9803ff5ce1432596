//! The links that a container needs beside the driver's libraries. Pure: names in, links out.

use std::path::{Path, PathBuf};

use super::{super::snapshot::Link, folders::Folder};

/// Links for the library `path`, met in `folder`, that names itself `soname`.
///
/// The name that programs ask for always leads to the file; the development name (`libcuda.so`) where the host has it.
pub(super) fn of_library(folder: &Folder, path: &Path, soname: Option<&str>) -> Vec<Link> {
    let (Some(directory), Some(file)) = (path.parent(), path.file_name().and_then(|name| name.to_str()))
    else {
        return Vec::new();
    };
    let mut links: Vec<Link> = Vec::new();
    let mut put = |target: &str, name: &str| {
        if target != name {
            links.push(Link { target: target.into(), link: directory.join(name) });
        }
    };
    let Some((library, _version)) = file.split_once(".so.") else { return links };
    let development = format!("{library}.so");
    if let Some(soname) = soname {
        put(file, soname);
        if folder.has(development.as_bytes()) || library == "libcuda" {
            put(soname, &development);
        }
    }
    match library {
        "libGLX_nvidia" => put(file, "libGLX_indirect.so.0"),
        "libnvidia-opticalflow" if soname.is_some() => put("libnvidia-opticalflow.so.1", &development),
        _ => {}
    }
    links
}

/// Links for graphics beside the library `path`: the names under which other libraries load it.
pub(super) fn for_graphics(folders: &[Folder], path: &Path) -> Vec<Link> {
    let (Some(directory), Some(file)) = (path.parent(), path.file_name().and_then(|name| name.to_str()))
    else {
        return Vec::new();
    };
    let link = |target: &str, link: PathBuf| Link { target: target.into(), link };
    match file.split_once(".so.") {
        Some(("libnvidia-vulkan-producer", _)) => {
            vec![link(file, directory.join("libnvidia-vulkan-producer.so"))]
        }
        Some(("libnvidia-allocator", _)) => {
            let above = folders.iter().filter(|folder| folder.gbm && folder.path != directory);
            let below = above.filter_map(|folder| {
                let rest = directory.strip_prefix(&folder.path).ok()?.to_str()?;
                Some(link(&format!("../{rest}/libnvidia-allocator.so.1"), folder.path.join(GBM)))
            });
            let beside = link("../libnvidia-allocator.so.1", directory.join(GBM));
            [beside].into_iter().chain(below).collect()
        }
        _ => Vec::new(),
    }
}

/// Where libgbm looks for NVIDIA's backend, below a folder of libraries.
pub(super) const GBM: &str = "gbm/nvidia-drm_gbm.so";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::root::{Entry, Kind};

    /// File, SONAME, the links as `link -> target`.
    const CASES: [(&str, Option<&str>, &[&str]); 5] = [
        (
            "libcuda.so.5.1",
            Some("libcuda.so.1"),
            &["libcuda.so.1 -> libcuda.so.5.1", "libcuda.so -> libcuda.so.1"],
        ),
        (
            "libnvidia-ml.so.5.1",
            Some("libnvidia-ml.so.1"),
            &["libnvidia-ml.so.1 -> libnvidia-ml.so.5.1", "libnvidia-ml.so -> libnvidia-ml.so.1"],
        ),
        ("libnvidia-tls.so.5.1", Some("libnvidia-tls.so.5.1"), &[]),
        (
            "libGLX_nvidia.so.5.1",
            Some("libGLX_nvidia.so.0"),
            &["libGLX_nvidia.so.0 -> libGLX_nvidia.so.5.1", "libGLX_indirect.so.0 -> libGLX_nvidia.so.5.1"],
        ),
        ("libnvidia-cfg.so.5.1", None, &[]),
    ];

    #[test]
    fn each_library_gets_the_names_that_programs_ask_for() {
        let entry = Entry { name: "libnvidia-ml.so".into(), kind: Kind::Link };
        let folder = Folder { path: "/lib".into(), entries: vec![entry], gbm: false };
        for (file, soname, wanted) in CASES {
            let links = of_library(&folder, &folder.path.join(file), soname);
            let shown: Vec<_> = links
                .iter()
                .map(|Link { link, target }| {
                    format!("{} -> {target}", link.strip_prefix("/lib").expect("beside").display())
                })
                .collect();
            assert_eq!(shown, wanted, "{file}");
        }
    }

    #[test]
    fn the_backend_of_gbm_is_linked_beside_the_library_and_where_the_host_has_it() {
        let folder = |path: &str, gbm| Folder { path: path.into(), entries: Vec::new(), gbm };
        let folders =
            [folder("/usr/lib/x", true), folder("/usr/lib/x/nvidia/current", false), folder("/lib64", true)];
        let links = for_graphics(&folders, Path::new("/usr/lib/x/nvidia/current/libnvidia-allocator.so.5.1"));
        let shown: Vec<_> =
            links.iter().map(|link| (link.link.to_str().expect("ASCII"), &*link.target)).collect();
        let wanted = [
            ("/usr/lib/x/nvidia/current/gbm/nvidia-drm_gbm.so", "../libnvidia-allocator.so.1"),
            ("/usr/lib/x/gbm/nvidia-drm_gbm.so", "../nvidia/current/libnvidia-allocator.so.1"),
        ];
        assert_eq!(shown, wanted);
    }
}
