//! Lists and what they name, on real trees.

#![expect(clippy::disallowed_methods, reason = "makes real files")]

use std::{fs, os::unix::fs::symlink};

use nix::sys::stat::{Mode, SFlag, makedev, mknod};

use super::*;
use crate::root::Root;

const LISTED: &str = "dev, /dev/nvmap\ndev, /dev/gone\ndev, /dev/nvhost-*\n\
    lib, /usr/lib/tegra/libnv*.so.1\nsym, /usr/lib/libcuda.so\nsym, /usr/lib/libignored.so\n\
    sym, /usr/lib/loop\ndir, /lib/firmware/tegra\nbad line\n";

fn board() -> (tempfile::TempDir, Place) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |path: &str| folder.path().join(path);
    for directory in [
        "dev",
        "usr/lib/tegra",
        "lib/firmware/tegra",
        "etc/nvidia-container-runtime/host-files-for-container.d",
    ] {
        fs::create_dir_all(path(directory)).expect("folders");
    }
    for node in ["dev/nvmap", "dev/nvhost-gpu"] {
        mknod(&path(node), SFlag::S_IFCHR, Mode::from_bits_truncate(0o660), makedev(10, 89)).expect("a node");
    }
    for file in [
        "usr/lib/tegra/libcuda.so.1.1",
        "usr/lib/tegra/libnvrm.so.1",
        "etc/nv_tegra_release",
        "usr/lib/libignored.so",
    ] {
        fs::write(path(file), "").expect("a file");
    }
    for (target, link) in [
        ("libcuda.so.1", "usr/lib/libcuda.so"),
        ("/usr/lib/tegra/libcuda.so.1.1", "usr/lib/libcuda.so.1"),
        ("loop", "usr/lib/loop"),
    ] {
        symlink(target, path(link)).expect("a link");
    }
    fs::write(path(LISTS[0].trim_start_matches('/')), LISTED).expect("a list");
    let root = Root::new(folder.path()).expect("a root");
    (folder, Place::new(&root, Path::new("/")).expect("a place"))
}

#[test]
fn what_the_lists_name_is_found_and_the_rest_is_told() {
    let (_folder, place) = board();
    let search = Search { tegra_ignored: vec!["**/libign*".into()], ..Search::default() };
    let (mut nodes, mut notes) = (Nodes::new(), Notes::default());
    let files = observe((&place, &place), &search, &mut nodes, &mut notes);

    assert_eq!(files.nodes, [Path::new("/dev/nvmap"), Path::new("/dev/nvhost-gpu")]);
    assert_eq!(nodes.values().map(|node| (node.major, node.minor)).collect::<Vec<_>>(), [(10, 89); 2]);
    assert_eq!(files.folders, [place.found(Path::new("/lib/firmware/tegra"), "/lib/firmware/tegra")]);
    let containers =
        |files: &[FoundFile]| files.iter().map(|file| file.container.clone()).collect::<Vec<_>>();
    assert_eq!(containers(&files.libraries), [Path::new("/usr/lib/tegra/libnvrm.so.1")]);
    assert_eq!(
        containers(&files.link_targets),
        [Path::new("/usr/lib/tegra/libcuda.so.1.1"), Path::new("/etc/nv_tegra_release")]
    );
    let links: Vec<_> =
        files.links.iter().map(|link| (link.link.to_str().expect("ASCII"), &*link.target)).collect();
    let wanted =
        [("/usr/lib/libcuda.so", "libcuda.so.1"), ("/usr/lib/libcuda.so.1", "/usr/lib/tegra/libcuda.so.1.1")];
    assert_eq!(links, wanted);
    let left_out: Vec<_> = notes.left_out.iter().map(|left| left.what.as_str()).collect();
    assert_eq!(left_out, [&format!("{}:9", LISTS[0]), "/dev/gone", "/usr/lib/loop"]);
}

#[test]
fn lists_that_are_not_there_name_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = Root::new(folder.path()).expect("a root");
    let place = Place::new(&root, Path::new("/")).expect("a place");
    let (mut nodes, mut notes) = (Nodes::new(), Notes::default());
    let files = observe((&place, &place), &Search::default(), &mut nodes, &mut notes);
    assert_eq!((files, notes.left_out), (TegraFiles::default(), Vec::new()));
}
