//! Each case on real files, through both ways in: following by name, and the kernel's.

#![expect(clippy::disallowed_methods, reason = "makes real files")]

use std::{
    ffi::OsStr,
    fs,
    os::unix::{
        ffi::OsStrExt as _,
        fs::{MetadataExt as _, symlink},
    },
};

use proptest::prelude::*;

use super::*;

fn tree() -> (tempfile::TempDir, Root) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path();
    fs::create_dir_all(path.join("usr/lib")).expect("folders");
    fs::write(path.join("usr/lib/libcuda.so.550"), "elf").expect("a file");
    for (target, link) in [
        ("usr/lib", "lib"),
        ("/usr/lib", "absolute"),
        ("libcuda.so.550", "usr/lib/libcuda.so.1"),
        ("/lib/libcuda.so.1", "usr/lib/libcuda.so"),
        ("../../../../usr/lib/libcuda.so.550", "usr/lib/up"),
        ("loop-b", "loop-a"),
        ("loop-a", "loop-b"),
        ("/etc/passwd-of-nobody", "usr/lib/out"),
    ] {
        symlink(target, path.join(link)).expect("a link");
    }
    let root = Root::new(path).expect("a root");
    (folder, root)
}

#[test]
fn links_are_followed_inside_the_root_alone() {
    let (_folder, root) = tree();
    for path in [
        "/usr/lib/libcuda.so.550",
        "usr/lib/libcuda.so.550",
        "/lib/libcuda.so.1",
        "/absolute/libcuda.so",
        "/lib/up",
        "/lib/../lib/./libcuda.so.1",
        "/../../usr/lib/up",
    ] {
        let resolved = root.resolve(Path::new(path)).expect(path);
        assert_eq!(resolved, Path::new("/usr/lib/libcuda.so.550"), "{path}");
        assert_eq!(root.read(Path::new(path), 9).expect(path), b"elf", "{path}");
        assert!(root.metadata(Path::new(path)).expect(path).is_file(), "{path}");
        root.open_resolved(Path::new(path), OFlag::O_RDONLY).expect(path);
    }
}

#[test]
fn what_cannot_be_reached_is_an_error_that_names_the_path() {
    let (folder, root) = tree();
    for (path, errno) in [
        ("/lib/libcuda.so.2", Errno::ENOENT),
        ("/lib/out", Errno::ENOENT),
        ("/loop-a", Errno::ELOOP),
        ("/lib/libcuda.so.550/x", Errno::ENOTDIR),
        ("/lib/libcuda.so.550/../libcuda.so.1", Errno::ENOTDIR),
    ] {
        let source = io::Error::from(errno).to_string();
        for error in [
            root.resolve(Path::new(path)).map(drop).expect_err(path),
            root.read(Path::new(path), 9).map(drop).expect_err(path),
        ] {
            let RootError::Access { path: named, source: reason } = &error else { panic!("{error}") };
            assert_eq!(*named, folder.path().join(relative(Path::new(path))));
            assert_eq!(reason.to_string(), source, "{path}");
            assert_eq!(error.is_missing(), errno != Errno::ELOOP, "{path}");
        }
        let answer = root.open_resolved(Path::new(path), OFlag::O_RDONLY).map(drop);
        assert_eq!(answer, Err(errno), "{path}");
    }
}

#[test]
fn names_that_are_not_utf_8_are_kept() {
    let (folder, root) = tree();
    let name = OsStr::from_bytes(b"lib\xff.so.550");
    fs::write(folder.path().join("usr").join(name), "x").expect("a file");
    let entries = root.read_dir_where(Path::new("/usr"), |name| name != b"lib").expect("entries");
    assert_eq!(entries, [Entry { name: name.into(), kind: Kind::File }]);
    let path = Path::new("/usr").join(name);
    assert_eq!(root.resolve(&path).expect("a path"), path);
}

#[test]
fn a_folder_is_listed_by_name_with_what_each_name_is() {
    let (folder, root) = tree();
    let entries = root.read_dir(Path::new("/")).expect("entries");
    let shown: Vec<_> =
        entries.iter().map(|entry| (entry.name.to_str().expect("ASCII"), entry.kind)).collect();
    assert_eq!(
        shown,
        [
            ("absolute", Kind::Link),
            ("lib", Kind::Link),
            ("loop-a", Kind::Link),
            ("loop-b", Kind::Link),
            ("usr", Kind::Folder)
        ]
    );
    assert_eq!(
        root.read_link(Path::new("/lib/libcuda.so.1")).expect("a link"),
        Some("libcuda.so.550".into())
    );
    assert_eq!(root.read_link(Path::new("/usr")).expect("no link"), None);
    assert!(root.link_metadata(Path::new("/lib")).expect("facts").is_symlink());
    drop(folder);
}

#[test]
fn a_file_that_is_too_long_is_not_read() {
    let (_folder, root) = tree();
    let error = root.read(Path::new("/lib/libcuda.so.550"), 2).expect_err("three bytes");
    assert!(
        error.to_string().ends_with("holds more than 2 bytes, which no file of its kind does; replace it")
    );
}

#[test]
fn a_root_that_is_missing_or_a_file_is_refused() {
    let (folder, _root) = tree();
    for path in ["gone", "usr/lib/libcuda.so.550", "loop-a"] {
        let error = Root::new(folder.path().join(path)).expect_err(path);
        assert!(error.to_string().starts_with("cannot use "), "{error}");
    }
}

#[test]
fn a_root_that_may_not_be_entered_is_refused() {
    use std::os::unix::fs::PermissionsExt as _;
    let (folder, _root) = tree();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o600)).expect("permissions");
    let path = folder.path().to_path_buf();
    // The user that files are opened as is a matter of each thread.
    let as_nobody = std::thread::spawn(move || {
        nix::unistd::setfsuid(nix::unistd::Uid::from_raw(65_534));
        Root::new(path)
    });
    let error = as_nobody.join().expect("no panic").expect_err("no right to enter");
    assert!(!error.is_missing(), "{error}");
}

/// Where each path of a folder leads that is full of links to each other.
fn agrees_with_the_kernel(links: &[(usize, usize, bool)]) {
    const NAMES: [&str; 8] = ["a", "b", "c", "d", "x/a", "x/b", "x/y/a", "x/y/b"];
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir_all(folder.path().join("x/y")).expect("folders");
    fs::write(folder.path().join("x/y/file"), "").expect("a file");
    let targets = [
        "a",
        "b",
        "x",
        "..",
        "../b",
        "x/a",
        "y/../../c",
        "/x/y",
        "/x/b",
        "y/b/../a",
        "x/y/file",
        "/../../d",
        ".",
    ];
    for (name, target, absolute) in links {
        let target = targets[target % targets.len()];
        let target = if *absolute { format!("/{target}") } else { target.to_owned() };
        // A name that is there already stays what it is.
        drop(symlink(target, folder.path().join(NAMES[name % NAMES.len()])));
    }
    let root = Root::new(folder.path()).expect("a root");
    for path in NAMES.iter().chain(&["x/y/file", "x/y/a/b", "a/x/y", "x/y/../a/.."]) {
        let kernel = root.open_inside(Path::new(path), OFlag::O_PATH).map(|fd| inode(&File::from(fd)));
        let walked = root.resolve(Path::new(path));
        match (kernel, &walked) {
            (Ok(kernel), Ok(walked)) => {
                let reached = fs::symlink_metadata(root.on_disk(walked)).expect("a file");
                assert!(!reached.is_symlink(), "{path}");
                assert_eq!(kernel, (reached.dev(), reached.ino()), "{path} {links:?}");
            }
            (Err(kernel), Err(RootError::Access { source, .. })) => {
                assert_eq!(Some(kernel as i32), source.raw_os_error(), "{path} {links:?}");
            }
            (kernel, _) => panic!("{path} {links:?}: {kernel:?} {walked:?}"),
        }
    }
}

fn inode(file: &File) -> (u64, u64) {
    let facts = file.metadata().expect("facts");
    (facts.dev(), facts.ino())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn links_lead_where_the_kernel_says(links in prop::collection::vec((0usize..8, 0usize..13, any::<bool>()), 0..9)) {
        agrees_with_the_kernel(&links);
    }
}

#[test]
fn a_root_below_a_root_ends_its_absolute_links() {
    let (folder, root) = tree();
    fs::create_dir_all(folder.path().join("run/driver/usr/lib")).expect("folders");
    fs::write(folder.path().join("run/driver/usr/lib/libcuda.so.550"), "driver").expect("a file");
    symlink("/usr/lib/libcuda.so.550", folder.path().join("run/driver/libcuda.so")).expect("a link");
    symlink("/run/driver", folder.path().join("current")).expect("a link");
    let driver = root.below(Path::new("/current")).expect("a root");
    assert_eq!(driver.path(), folder.path().join("run/driver"));
    assert_eq!(driver.read(Path::new("/libcuda.so"), 9).expect("a file"), b"driver");
}
