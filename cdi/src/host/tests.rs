//! The whole observation on small real trees, without NVML; with it, on simulated nodes.

#![expect(clippy::disallowed_methods, reason = "makes real files")]

use std::{
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
};

use nix::sys::stat::{Mode, SFlag, makedev, mknod};

use super::*;
use crate::root::Root;

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

    fn file(&self, path: &str, text: &str) {
        fs::write(self.path(path), text).expect("a file");
    }

    fn node(&self, path: &str, major: u64, minor: u64) {
        let mode = Mode::from_bits_truncate(0o660);
        mknod(&self.path(path), SFlag::S_IFCHR, mode, makedev(major, minor)).expect("root makes nodes");
    }

    fn link(&self, target: &str, path: &str) {
        symlink(target, self.path(path)).expect("a link");
    }

    /// GPU 3 of minor 1 with DRM nodes, and what `/proc` and `/sys` say of it.
    fn gpu(&self) {
        let device = "/sys/devices/pci0000:00/0000:18:00.0";
        self.file(
            "/proc/driver/nvidia/gpus/0000:18:00.0/information",
            "Model: NVIDIA L40S\nGPU UUID: GPU-5f3c0a10-26b9-4be7-9d05-000000000000\nDevice Minor: 1\n",
        );
        self.file("/proc/devices", "Character devices:\n195 nvidia\n\nBlock devices:\n  8 sd\n");
        for name in ["card1", "renderD129", "controlD65", "version"] {
            self.file(&format!("{device}/drm/{name}/dev"), "");
        }
        self.link("/sys/devices/pci0000:00/0000:18:00.0", "/sys/bus/pci/devices/0000:18:00.0");
        self.node("/dev/nvidia1", 195, 1);
        self.node("/dev/nvidiactl", 195, 255);
        self.node("/dev/dri/renderD129", 226, 129);
    }

    fn roots(&self) -> Roots {
        Roots::plain(Root::new(self.0.path()).expect("a root"))
    }

    fn observe(&self, want: &[Want]) -> Result<HostSnapshot, HostError> {
        observe(&self.roots(), &Options::new(want.iter().copied(), "6.1.0"))
    }
}

fn nodes(snapshot: &HostSnapshot) -> Vec<&str> {
    snapshot.nodes.keys().map(|path| path.to_str().expect("ASCII")).collect()
}

#[test]
fn a_whole_gpu_is_described_without_nvml() {
    let tree = Tree::new();
    tree.gpu();
    let snapshot = tree.observe(&[Want::WholeGpus]).expect("a snapshot");
    let [gpu] = &snapshot.inventory.gpus[..] else { panic!("{:?}", snapshot.inventory) };
    assert_eq!((gpu.index, gpu.minor, &*gpu.name), (0, 1, "NVIDIA L40S"));
    assert_eq!(gpu.drm_nodes, ["renderD129"], "card1 has no node");
    assert_eq!(nodes(&snapshot), ["/dev/dri/renderD129", "/dev/nvidia1", "/dev/nvidiactl"]);
    let facts = &snapshot.nodes[Path::new("/dev/nvidiactl")];
    assert_eq!((facts.major, facts.minor), (195, 255));
    assert_eq!(snapshot.majors["nvidia"], 195);
}

#[test]
fn a_gpu_without_its_node_is_faulty_and_named() {
    let tree = Tree::new();
    tree.gpu();
    fs::remove_file(tree.path("/dev/nvidia1")).expect("a node");
    tree.file("/dev/nvidia1", "a file that something left behind");
    let snapshot = tree.observe(&[Want::WholeGpus]).expect("a snapshot");
    assert_eq!(snapshot.inventory.gpus, []);
    let [faulty] = &snapshot.inventory.faulty[..] else { panic!("{:?}", snapshot.inventory) };
    assert_eq!(faulty.reason, "/dev/nvidia1 is missing; make it with nvidia-modprobe -c 1");
    assert_eq!(snapshot.left_out[0].what, "/dev/nvidia1");
    assert_eq!(snapshot.left_out[0].why, "is no character device; remove it and let the driver make it");
}

#[test]
fn a_gpu_in_parts_is_not_described_as_a_whole_one() {
    let tree = Tree::new();
    tree.gpu();
    tree.file("/proc/driver/nvidia/capabilities/gpu1/mig/gi7/access", "DeviceFileMinor: 66\n");
    let snapshot = tree.observe(&[Want::WholeGpus]).expect("a snapshot");
    assert_eq!(snapshot.inventory.gpus, []);
    assert!(snapshot.inventory.faulty[0].reason.starts_with("it is cut into MIG instances"));
}

#[test]
fn each_family_of_nodes_is_found_in_its_folder() {
    let tree = Tree::new();
    for (node, minor) in [
        ("/dev/nvidia0", 0),
        ("/dev/nvidia-fs0", 1),
        ("/dev/nvidia-nvswitch0", 2),
        ("/dev/nvidia-nvswitchctl", 3),
        ("/dev/nvidia-caps/nvidia-cap1", 4),
        ("/dev/nvidia-caps-imex-channels/channel7", 5),
        ("/dev/infiniband/uverbs0", 6),
        ("/dev/infiniband/rdma_cm", 7),
        ("/dev/infiniband/umad0", 8),
        ("/dev/gdrdrv", 9),
        ("/dev/dxg", 10),
    ] {
        tree.node(node, 240, minor);
    }
    let all = [
        "/dev/nvidia-caps/nvidia-cap1",
        "/dev/nvidia-caps-imex-channels/channel7",
        "/dev/nvidia-fs0",
        "/dev/nvidia-nvswitch0",
        "/dev/nvidia-nvswitchctl",
        "/dev/nvidia0",
    ];
    for (want, wanted) in [
        (Want::AllNodes, &all[..]),
        (Want::Imex, &all[1..2]),
        (Want::Storage, &["/dev/nvidia-fs0"]),
        (Want::NvSwitch, &["/dev/nvidia-nvswitch0", "/dev/nvidia-nvswitchctl"]),
        (Want::Mofed, &["/dev/infiniband/rdma_cm", "/dev/infiniband/uverbs0"]),
        (Want::Gdrcopy, &["/dev/gdrdrv"]),
        (Want::Wsl, &["/dev/dxg"]),
    ] {
        assert_eq!(nodes(&tree.observe(&[want]).expect("a snapshot")), wanted, "{want:?}");
    }
}

#[test]
fn files_of_storage_are_mounted_where_they_are() {
    let tree = Tree::new();
    tree.file("/run/udev/control", "");
    tree.file("/etc/cufile.json", "{}");
    let snapshot = tree.observe(&[Want::Storage]).expect("a snapshot");
    let containers: Vec<_> =
        snapshot.storage.iter().map(|file| file.container.to_str().expect("ASCII")).collect();
    assert_eq!(containers, ["/etc/cufile.json", "/run/udev"]);
}

#[test]
fn the_platform_is_told_by_its_files() {
    for (file, text, tegra, wsl) in [
        ("/etc/nv_tegra_release", "", true, false),
        ("/sys/devices/soc0/family", "Tegra\n", true, false),
        ("/sys/devices/soc0/family", "Snapdragon\n", false, false),
        ("/usr/lib/wsl/lib/libdxcore.so", "", false, true),
    ] {
        let tree = Tree::new();
        tree.file(file, text);
        let platform = tree.observe(&[Want::Platform]).expect("a snapshot").platform;
        assert_eq!(platform, Platform { nvml: None, tegra, wsl }, "{file} {text}");
    }
    let tree = Tree::new();
    tree.file("/usr/lib64/libnvidia-ml.so.550.163.01", "");
    let platform = tree.observe(&[Want::Platform]).expect("a snapshot").platform;
    assert_eq!(platform.nvml.as_deref(), Some(Path::new("/usr/lib64/libnvidia-ml.so.550.163.01")));
}

#[test]
fn a_host_without_a_driver_and_roots_that_are_none_are_told_with_what_to_do() {
    let tree = Tree::new();
    for want in [Want::Inventory, Want::Driver] {
        let error = tree.observe(&[want]).expect_err("no driver");
        assert_eq!(
            error.to_string(),
            "no libcuda.so or libnvidia-ml.so of a driver below /; install the driver, or say where it is with \
             --driver-root or --library-search-path"
        );
    }
    tree.link("lib64", "/usr/lib64");
    let error = tree.observe(&[Want::Driver]).expect_err("a loop").to_string();
    assert!(error.contains("usr/lib64 cannot be read (Too many levels of symbolic links"), "{error}");
    tree.link("/nowhere", "/run/nvidia/driver");
    let driver = Roots { driver: "/run/nvidia/driver".into(), ..tree.roots() };
    let dev = Roots { dev: "/opt/dev-root".into(), ..tree.roots() };
    for (roots, wanted) in [
        (driver, "cannot use /run/nvidia/driver as driver-root; check the flag --driver-root"),
        (dev, "cannot use /opt/dev-root as dev-root; check the flag --dev-root"),
    ] {
        let error = observe(&roots, &Options::new([Want::Platform], "")).expect_err("no root");
        assert_eq!(error.to_string(), wanted);
    }
}

#[test]
fn a_kernel_module_of_another_version_is_told_and_the_files_are_described() {
    let tree = Tree::new();
    tree.file("/usr/lib64/libcuda.so.550.163.01", "");
    tree.file("/usr/lib64/libcuda.so.535.247.01", "");
    for (module, version, told) in
        [("535.247.01\n", "535.247.01", 0), ("560.35.03\n", "550.163.01", 1), ("garbage", "550.163.01", 0)]
    {
        tree.file("/sys/module/nvidia/version", module);
        let snapshot = tree.observe(&Want::MANAGEMENT).expect("a snapshot");
        assert_eq!(snapshot.driver_version.as_deref(), Some(version));
        assert_eq!(snapshot.left_out.len(), told, "{module} {:?}", snapshot.left_out);
    }
}

#[test]
fn the_node_that_holds_nothing_is_said_to_be_there_only_where_it_is() {
    let tree = Tree::new();
    tree.gpu();
    let null = || observe(&tree.roots(), &Options::new([Want::Imex], "")).expect("a snapshot").null;
    tree.file(NULL, "");
    assert!(!null());
    fs::remove_file(tree.path(NULL)).expect("a file");
    assert!(!null());
    tree.node(NULL, 1, 3);
    assert!(null());
}
