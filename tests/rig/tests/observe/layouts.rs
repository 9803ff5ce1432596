//! Each layout of the driver's files.

use std::{os::unix::fs::FileTypeExt as _, path::Path};

use berth_cdi::host::Want;
use berth_node::{layout::Layout, machine::Feature};

use super::*;

const ALL: [Want; 8] = [
    Want::Inventory,
    Want::Driver,
    Want::Graphics,
    Want::Imex,
    Want::Storage,
    Want::Mofed,
    Want::NvSwitch,
    Want::Gdrcopy,
];

/// What is the same on all layouts: everything that is given out exists, and nothing is left out but what
/// a board's list names and the board lacks.
fn is_whole(simulated: &Simulated, snapshot: &HostSnapshot) {
    for file in files(snapshot) {
        let path = simulated.path(&file.host);
        let facts = fs::symlink_metadata(&path).expect("a file that exists");
        assert!(!facts.is_symlink(), "{} is a link", path.display());
    }
    for (container, node) in &snapshot.nodes {
        let facts = fs::symlink_metadata(simulated.path(&node.host)).expect("a node that exists");
        assert!(facts.file_type().is_char_device(), "{}", container.display());
    }
    for left in &snapshot.left_out {
        assert!(left.why.starts_with("is listed for containers"), "{left:?}");
        fs::metadata(simulated.path(Path::new(&left.what))).expect_err("a link to nothing");
    }
    assert_eq!(snapshot.inventory.faulty, []);
}

#[test]
fn each_layout_of_a_discrete_gpu_is_described_whole() {
    for layout in
        [Layout::Debian, Layout::Rpm, Layout::SplitRoots, Layout::DriverContainer, Layout::LdcacheOnly]
    {
        let simulated = Simulated::new(layout, "2xl40s", |recipe| {
            recipe.features = Feature::ALL.iter().map(|(feature, _)| *feature).collect();
        });
        let snapshot = simulated.observe(&ALL).expect("a snapshot");
        is_whole(&simulated, &snapshot);
        assert_eq!(snapshot.driver_version.as_deref(), Some("550.163.01"), "{layout}");
        assert_eq!(snapshot.cuda_version.as_deref(), Some("12.4"));
        assert_eq!(snapshot.inventory.gpus.len(), 2);
        assert_eq!(snapshot.inventory.gpus[0].drm_nodes, ["card1", "renderD128"], "{layout}");
        let cuda = snapshot.files.libraries.iter().find(|file| file.host.ends_with("libcuda.so.550.163.01"));
        let cuda = cuda.expect("a CUDA library");
        assert!(cuda.host.starts_with(layout.driver_root()), "{layout}");
        assert_eq!(cuda.host, layout.driver_root().join(cuda.container.strip_prefix("/").expect("absolute")));
        let node = &snapshot.nodes[Path::new("/dev/nvidia1")];
        assert_eq!(node.host, layout.dev_root().join("dev/nvidia1"), "{layout}");
        let links: Vec<_> = snapshot.files.links.iter().map(|link| (&*link.target, &link.link)).collect();
        for (target, name) in [("libcuda.so.550.163.01", "libcuda.so.1"), ("libcuda.so.1", "libcuda.so")] {
            assert!(links.contains(&(target, &cuda.container.with_file_name(name))), "{layout} {links:?}");
        }
        for socket in
            ["/run/nvidia-persistenced/socket", "/run/nvidia-fabricmanager/socket", "/tmp/nvidia-mps"]
        {
            let found = snapshot.files.sockets.iter().any(|file| file.container == Path::new(socket));
            assert!(found, "{layout} {socket}");
        }
    }
}

#[test]
fn a_tegra_board_is_described_by_its_lists() {
    for layout in [Layout::TegraOrin, Layout::TegraThor] {
        let simulated = Simulated::new(layout, "l4", |_| {});
        let snapshot = simulated.observe(&[Want::Platform, Want::Tegra]).expect("a snapshot");
        is_whole(&simulated, &snapshot);
        assert!(snapshot.platform.tegra && !snapshot.platform.wsl);
        let tegra = &snapshot.tegra;
        assert!(tegra.nodes.len() > 5 && tegra.libraries.len() > 4 && tegra.links.len() > 1, "{tegra:?}");
        assert!(tegra.nodes.iter().all(|node| snapshot.nodes.contains_key(node)));
        assert_eq!(snapshot.platform.nvml.is_some(), layout == Layout::TegraThor);
    }
}

#[test]
fn wsl_is_described_by_its_store() {
    let simulated = Simulated::new(Layout::Wsl, "rtx-4090", |_| {});
    let snapshot = simulated.observe(&[Want::Platform, Want::Wsl]).expect("a snapshot");
    is_whole(&simulated, &snapshot);
    assert!(snapshot.platform.wsl && !snapshot.platform.tegra);
    assert!(snapshot.wsl.files.iter().any(|file| file.container.ends_with("libdxcore.so")));
    assert_eq!(snapshot.wsl.links[0].link, Path::new("/usr/bin/nvidia-smi"));
    assert_eq!(snapshot.nodes.keys().map(|path| path.as_path()).collect::<Vec<_>>(), [Path::new("/dev/dxg")]);
}
