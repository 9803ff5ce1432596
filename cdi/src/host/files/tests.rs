//! The driver's files on real trees.

#![expect(clippy::disallowed_methods, reason = "makes real files")]

use std::{
    fs,
    os::unix::{ffi::OsStrExt as _, fs::symlink, net::UnixListener},
    path::{Path, PathBuf},
};

use super::{super::snapshot::Link, *};
use crate::elf::{Class, made};

const LIBRARIES: &str = "/usr/lib/x86_64-linux-gnu";

struct Tree(tempfile::TempDir);

impl Tree {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }

    fn path(&self, path: &str) -> PathBuf {
        let path = self.0.path().join(path.trim_start_matches('/'));
        fs::create_dir_all(path.parent().expect("below the root")).expect("folders");
        path
    }

    fn file(&self, path: &str, bytes: impl AsRef<[u8]>) {
        fs::write(self.path(path), bytes).expect("a file");
    }

    fn library(&self, path: &str, soname: &str) {
        let machine = libraries::native_machine().expect("a processor that the driver runs on");
        self.file(path, made::library(Class::Bits64, machine, soname));
    }

    fn link(&self, target: &str, path: &str) {
        symlink(target, self.path(path)).expect("a link");
    }

    /// Two libraries of the driver and the links of its package.
    fn driver(&self, folder: &str, version: &str) {
        self.library(&format!("{folder}/libcuda.so.{version}"), "libcuda.so.1");
        self.library(&format!("{folder}/libnvidia-ml.so.{version}"), "libnvidia-ml.so.1");
    }

    fn observe(&self, options: &Options) -> (DriverFiles, Notes) {
        let root = Root::new(self.0.path()).expect("a root");
        let place = Place::new(&root, Path::new("/")).expect("a place");
        let mut notes = Notes::default();
        let folders = scan(&place, &options.search.libraries, &mut notes);
        let Choice::Version(version) = choose(&folders, None) else { panic!("no driver in {folders:?}") };
        (super::observe((&root, &place), &folders, &version, options, &mut notes), notes)
    }
}

fn all() -> Options {
    Options::new([Want::Driver, Want::Graphics], "6.1.0")
}

fn containers(files: &[FoundFile]) -> Vec<String> {
    files.iter().map(|file| file.container.display().to_string()).collect()
}

#[test]
fn libraries_of_the_version_and_what_they_need_are_found() {
    let tree = Tree::new();
    tree.driver(LIBRARIES, "550.163.01");
    tree.driver(LIBRARIES, "535.247.01");
    for (library, soname) in [
        ("libGLX_nvidia.so.550.163.01", "libGLX_nvidia.so.0"),
        ("vdpau/libvdpau_nvidia.so.550.163.01", "libvdpau_nvidia.so.1"),
        ("libnvidia-nvvm70.so.4", "libnvidia-nvvm70.so.4"),
        ("libnvidia-egl-gbm.so.1.1.1", "libnvidia-egl-gbm.so.1"),
        ("libc.so.6", "libc.so.6"),
    ] {
        tree.library(&format!("{LIBRARIES}/{library}"), soname);
    }
    tree.link("libnvidia-egl-gbm.so.1.1.1", &format!("{LIBRARIES}/libnvidia-egl-gbm.so.1"));
    let (files, notes) = tree.observe(&all());
    assert_eq!(files.library_dirs, [Path::new(LIBRARIES)]);
    let wanted = [
        "libGLX_nvidia.so.550.163.01",
        "libcuda.so.550.163.01",
        "libnvidia-ml.so.550.163.01",
        "libnvidia-nvvm70.so.4",
        "vdpau/libvdpau_nvidia.so.550.163.01",
    ];
    assert_eq!(containers(&files.libraries), wanted.map(|name| format!("{LIBRARIES}/{name}")));
    assert_eq!(containers(&files.graphics), [format!("{LIBRARIES}/libnvidia-egl-gbm.so.1.1.1")]);
    let links: Vec<_> =
        files.links.iter().map(|link| format!("{} {}", link.link.display(), link.target)).collect();
    let wanted = [
        "libGLX_indirect.so.0 libGLX_nvidia.so.550.163.01",
        "libGLX_nvidia.so.0 libGLX_nvidia.so.550.163.01",
        "libcuda.so libcuda.so.1",
        "libcuda.so.1 libcuda.so.550.163.01",
        "libnvidia-egl-gbm.so.1 libnvidia-egl-gbm.so.1.1.1",
        "libnvidia-ml.so.1 libnvidia-ml.so.550.163.01",
        "vdpau/libvdpau_nvidia.so.1 libvdpau_nvidia.so.550.163.01",
    ];
    assert_eq!(links, wanted.map(|link| format!("{LIBRARIES}/{link}")));
    assert_eq!(notes.left_out, []);
}

#[test]
fn a_folder_that_two_names_lead_to_is_looked_at_once() {
    let tree = Tree::new();
    tree.driver("/usr/lib64", "550.163.01");
    tree.link("usr/lib64", "/lib64");
    let (files, _) = tree.observe(&all());
    assert_eq!(files.library_dirs, [Path::new("/usr/lib64")]);
    assert_eq!(files.libraries.len(), 2);
}

#[test]
fn a_library_behind_a_link_is_taken_where_it_lies() {
    let tree = Tree::new();
    tree.driver("/opt/driver", "550.163.01");
    for library in ["libcuda.so.550.163.01", "libnvidia-ml.so.550.163.01"] {
        tree.link(&format!("/opt/driver/{library}"), &format!("/usr/lib64/{library}"));
    }
    tree.link("gone", "/usr/lib64/libnvidia-cfg.so.550.163.01");
    tree.link("libloop.so.550.163.01", "/usr/lib64/libloop.so.550.163.01");
    let (files, notes) = tree.observe(&all());
    assert_eq!(
        containers(&files.libraries),
        ["/opt/driver/libcuda.so.550.163.01", "/opt/driver/libnvidia-ml.so.550.163.01"]
    );
    let left_out: Vec<_> = notes.left_out.iter().map(|left| left.what.as_str()).collect();
    assert_eq!(left_out, ["/usr/lib64/libloop.so.550.163.01", "/usr/lib64/libnvidia-cfg.so.550.163.01"]);
}

#[test]
fn names_that_are_not_utf_8_and_ten_thousand_files_stand_in_no_ones_way() {
    let tree = Tree::new();
    tree.driver("/usr/lib64", "550.163.01");
    let odd = std::ffi::OsStr::from_bytes(b"lib\xff.so.550.163.01");
    fs::write(tree.path("/usr/lib64/x").with_file_name(odd), "x").expect("a file");
    for number in 0..10_000 {
        fs::write(tree.path("/usr/lib64/x").with_file_name(format!("lib{number}.so.1.{number}")), "")
            .expect("a file");
    }
    let (files, notes) = tree.observe(&all());
    assert_eq!(files.libraries.len(), 3);
    assert_eq!(notes.left_out, []);
}

#[test]
fn a_library_of_another_processor_is_no_library_of_this_host() {
    let tree = Tree::new();
    tree.driver("/usr/lib64", "550.163.01");
    let foreign = made::library(Class::Bits32, crate::elf::MACHINE_386, "libnvidia-tls.so.550.163.01");
    tree.file("/usr/lib64/libnvidia-tls.so.550.163.01", &foreign);
    tree.file("/usr/lib/i386-linux-gnu/libnvidia-tls.so.550.163.01", &foreign);
    let (files, _) = tree.observe(&all());
    assert_eq!(files.libraries.len(), 2);
    let (files, _) = tree.observe(&Options::new([Want::Driver, Want::Libraries32], ""));
    assert_eq!(
        containers(&files.libraries),
        [
            "/usr/lib/i386-linux-gnu/libnvidia-tls.so.550.163.01",
            "/usr/lib64/libcuda.so.550.163.01",
            "/usr/lib64/libnvidia-ml.so.550.163.01"
        ]
    );
}

#[test]
fn given_folders_stand_in_place_of_the_known_ones() {
    let tree = Tree::new();
    tree.driver("/usr/lib64", "550.163.01");
    tree.driver("/srv/nvidia", "535.247.01");
    tree.file("/usr/share/glvnd/egl_vendor.d/10_nvidia.json", "{}");
    tree.file("/srv/nvidia/share/nvidia/nvoptix.bin", "");
    let mut options = all();
    options.search.libraries = vec!["/srv/nvidia".into()];
    options.search.configs = vec!["/srv/nvidia/share".into()];
    let (files, _) = tree.observe(&options);
    assert_eq!(files.library_dirs, [Path::new("/srv/nvidia")]);
    assert_eq!(containers(&files.configs), ["/usr/share/nvidia/nvoptix.bin"]);
}

#[test]
fn programs_are_the_first_executable_ones_and_keep_their_names() {
    use std::os::unix::fs::PermissionsExt as _;
    let tree = Tree::new();
    tree.driver("/usr/lib64", "550.163.01");
    tree.file("/usr/lib/nvidia/current/nvidia-smi", "");
    fs::set_permissions(tree.path("/usr/lib/nvidia/current/nvidia-smi"), fs::Permissions::from_mode(0o755))
        .expect("a mode");
    tree.link("/usr/lib/nvidia/current/nvidia-smi", "/usr/bin/nvidia-smi");
    tree.file("/usr/bin/nvidia-imex", "not executable");
    let (files, _) = tree.observe(&all());
    let wanted = FoundFile {
        host: "/usr/lib/nvidia/current/nvidia-smi".into(),
        container: "/usr/bin/nvidia-smi".into(),
    };
    assert_eq!(files.binaries, [wanted]);
}

#[test]
fn sockets_firmware_and_configuration_are_found_in_their_places() {
    let tree = Tree::new();
    tree.driver("/usr/lib64", "550.163.01");
    let _listener = UnixListener::bind(tree.path("/run/nvidia-persistenced/socket")).expect("a socket");
    tree.link("/run", "/var/run");
    tree.file("/run/nvidia-fabricmanager/socket", "a file");
    fs::create_dir(tree.path("/tmp/nvidia-mps")).expect("a folder");
    tree.file("/usr/lib/firmware/nvidia/550.163.01/gsp_ga10x.bin", "");
    tree.file("/usr/lib/firmware/nvidia/550.163.01/ucodes.bin", "");
    tree.file("/usr/lib/firmware/nvidia/550.163.01/README", "");
    tree.file("/usr/lib/firmware/updates/nvidia/550.163.01/gsp_tu10x.bin", "");
    tree.file("/usr/lib/firmware/nvidia/535.247.01/gsp_ga10x.bin", "");
    tree.link("usr/lib", "/lib");
    tree.file("/usr/share/vulkan/icd.d/nvidia_icd.json", "{}");
    tree.file("/etc/OpenCL/vendors/nvidia.icd", "");
    let (files, notes) = tree.observe(&all());
    assert_eq!(containers(&files.sockets), ["/run/nvidia-persistenced/socket", "/tmp/nvidia-mps"]);
    let firmware = "/lib/firmware/nvidia/550.163.01";
    assert_eq!(
        containers(&files.firmware),
        [
            format!("{firmware}/gsp_ga10x.bin"),
            format!("{firmware}/ucodes.bin"),
            "/lib/firmware/updates/nvidia/550.163.01/gsp_tu10x.bin".into(),
        ]
    );
    assert_eq!(files.firmware[0].host, Path::new("/usr/lib/firmware/nvidia/550.163.01/gsp_ga10x.bin"));
    assert_eq!(
        containers(&files.configs),
        ["/etc/OpenCL/vendors/nvidia.icd", "/etc/vulkan/icd.d/nvidia_icd.json"]
    );
    // Seen under both names of the folder.
    assert!(notes.left_out.iter().all(|left| left.what == "/run/nvidia-fabricmanager/socket"), "{notes:?}");
    assert!(!notes.left_out.is_empty());
}

#[test]
fn modules_of_the_x_server_are_found_in_both_ways_of_packaging() {
    let plain = "/usr/lib64/xorg/modules/extensions/libglxserver_nvidia.so";
    let versioned = "/usr/lib64/xorg/modules/extensions/libglxserver_nvidia.so.550.163.01";
    let driver = "/usr/lib64/xorg/modules/drivers/nvidia_drv.so";
    let rpm = Tree::new();
    rpm.driver("/usr/lib64", "550.163.01");
    rpm.file(driver, "");
    rpm.library(versioned, "libglxserver_nvidia.so");
    let (files, _) = rpm.observe(&all());
    assert_eq!(containers(&files.modules), [driver, versioned]);
    assert!(
        files
            .links
            .contains(&Link { target: "libglxserver_nvidia.so.550.163.01".into(), link: plain.into() })
    );

    let debian = Tree::new();
    debian.driver("/usr/lib64", "550.163.01");
    debian.library("/usr/lib/nvidia/current/libglxserver_nvidia.so.550.163.01", "libglxserver_nvidia.so");
    debian.link("/usr/lib/nvidia/current/libglxserver_nvidia.so.550.163.01", plain);
    let (files, _) = debian.observe(&all());
    assert_eq!(containers(&files.modules), [plain]);
    assert!(files.links.iter().all(|link| link.link != Path::new(plain)));
}

#[test]
fn where_no_known_folder_has_a_driver_the_loaders_cache_tells() {
    let tree = Tree::new();
    tree.driver("/var/lib/nvidia/lib64", "550.163.01");
    tree.library("/usr/lib64/libnvidia-egl-gbm.so.1.1.2", "libnvidia-egl-gbm.so.1");
    tree.link("libcuda.so.550.163.01", "/var/lib/nvidia/lib64/libcuda.so.1");
    let library = crate::ldcache::Library {
        name: b"libcuda.so.1".into(),
        path: "/var/lib/nvidia/lib64/libcuda.so.1".into(),
        flags: crate::ldcache::Architecture::native().expect("a known processor").flags(),
        hwcaps: None,
    };
    tree.file("/etc/ld.so.cache", crate::ldcache::write(vec![library]));
    let (files, notes) = tree.observe(&all());
    assert_eq!(files.library_dirs, [Path::new("/var/lib/nvidia/lib64")]);
    assert_eq!(files.libraries.len(), 2);
    assert_eq!(containers(&files.graphics), ["/usr/lib64/libnvidia-egl-gbm.so.1.1.2"]);
    assert_eq!(notes.left_out, []);
}

#[test]
fn libraries_that_others_have_too_are_taken_from_the_drivers_folders_alone() {
    let tree = Tree::new();
    tree.driver("/usr/lib64", "550.163.01");
    tree.library("/usr/lib64/libGL.so.1.7.0", "libGL.so.1");
    tree.library(&format!("{LIBRARIES}/libGL.so.1.7.0"), "libGL.so.1");
    let (files, _) = tree.observe(&Options::new([Want::Driver, Want::ExplicitLibraries], "6.1.0"));
    let wanted = ["libGL.so.1.7.0", "libcuda.so.550.163.01", "libnvidia-ml.so.550.163.01"];
    assert_eq!(containers(&files.libraries), wanted.map(|name| format!("/usr/lib64/{name}")));
}

#[test]
fn folders_of_the_driver_keep_the_order_of_the_search() {
    let tree = Tree::new();
    tree.driver("/usr/lib64", "550.163.01");
    tree.driver(LIBRARIES, "550.163.01");
    let (files, _) = tree.observe(&all());
    assert_eq!(files.library_dirs, ["/usr/lib64", LIBRARIES].map(Path::new));
}

#[test]
fn no_link_is_made_in_the_place_of_a_file() {
    let tree = Tree::new();
    tree.driver(LIBRARIES, "550.163.01");
    tree.library(&format!("{LIBRARIES}/libnvidia-tls.so.550.163.01"), "libnvidia-ml.so.550.163.01");
    let (files, _) = tree.observe(&all());
    assert_eq!(files.libraries.len(), 3);
    for file in &files.libraries {
        assert!(files.links.iter().all(|link| link.link != file.container), "{:?}", files.links);
    }
}
