//! The links that a container needs beside the driver's libraries. Pure: names in, links out.

use std::path::Path;

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
        "libnvidia-vulkan-producer" | "libglxserver_nvidia" => put(file, &development),
        "libnvidia-allocator" => put("../libnvidia-allocator.so.1", "gbm/nvidia-drm_gbm.so"),
        _ => {}
    }
    links
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::root::{Entry, Kind};

    /// File, SONAME, the links as `link -> target`.
    const CASES: [(&str, Option<&str>, &[&str]); 7] = [
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
        (
            "libnvidia-allocator.so.5.1",
            Some("libnvidia-allocator.so.1"),
            &[
                "libnvidia-allocator.so.1 -> libnvidia-allocator.so.5.1",
                "gbm/nvidia-drm_gbm.so -> ../libnvidia-allocator.so.1",
            ],
        ),
        (
            "libglxserver_nvidia.so.5.1",
            Some("libglxserver_nvidia.so"),
            &[
                "libglxserver_nvidia.so -> libglxserver_nvidia.so.5.1",
                "libglxserver_nvidia.so -> libglxserver_nvidia.so.5.1",
            ],
        ),
        ("libnvidia-cfg.so.5.1", None, &[]),
    ];

    #[test]
    fn each_library_gets_the_names_that_programs_ask_for() {
        let entry = Entry { name: "libnvidia-ml.so".into(), kind: Kind::Link };
        let folder = Folder { path: "/lib".into(), entries: vec![entry] };
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
}
