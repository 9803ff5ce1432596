//! Looks at the container that this process is in.
#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "looks at real files")]

use std::{
    collections::BTreeMap,
    ffi::OsString,
    fs::{self, File},
    io,
    os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt},
    path::Path,
};

use nix::{
    errno::Errno,
    sys::stat::{Mode, SFlag, major, makedev, minor, mknod},
};

use crate::report::{DeviceNode, Link, Mount, Opened, Report};

/// Folders that tell of the kernel, or of terminals and memory, and not of what was put into the container.
const LEFT_OUT: [&str; 5] = ["/proc", "/sys", "/dev/pts", "/dev/shm", "/dev/mqueue"];

/// What there is to see. `try_numbers` are numbers of device nodes that are made and opened besides, in
/// `scratch`, as somebody who wants out would do.
#[must_use]
pub fn look(
    env: impl Iterator<Item = (OsString, OsString)>,
    try_numbers: &[(u64, u64)],
    scratch: &Path,
) -> Report {
    let mut report = Report { env: lossy(env), ..Report::default() };
    walk(Path::new("/"), &mut report);
    report.devices.sort_by(|one, other| one.path.cmp(&other.path));
    report.links.sort_by(|one, other| one.path.cmp(&other.path));
    report.made = try_numbers.iter().map(|numbers| make(*numbers, scratch)).collect();
    report.mounts = mounts(&fs::read_to_string("/proc/self/mountinfo").unwrap_or_default());
    report.cached = fs::read("/etc/ld.so.cache").ok().map(|bytes| cached(&bytes));
    report.params = fs::read_to_string("/proc/driver/nvidia/params").ok();
    report
}

fn lossy(env: impl Iterator<Item = (OsString, OsString)>) -> BTreeMap<String, String> {
    let text = |value: OsString| value.to_string_lossy().into_owned();
    env.map(|(name, value)| (text(name), text(value))).collect()
}

fn walk(folder: &Path, report: &mut Report) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let Ok(kind) = entry.file_type() else { continue };
        if LEFT_OUT.iter().any(|left| path.starts_with(left)) {
            continue;
        }
        let name = path.display().to_string();
        if kind.is_dir() {
            walk(&path, report);
        } else if kind.is_symlink() {
            let target = fs::read_link(&path).unwrap_or_default().display().to_string();
            report.links.push(Link { path: name, target });
        } else if kind.is_char_device() || kind.is_block_device() {
            report.devices.extend(device(&path));
        }
    }
}

fn device(path: &Path) -> Option<DeviceNode> {
    let found = fs::symlink_metadata(path).ok()?;
    Some(DeviceNode {
        path: path.display().to_string(),
        major: major(found.rdev()),
        minor: minor(found.rdev()),
        mode: found.permissions().mode() & 0o7777,
        opened: opened(File::open(path).map(drop)),
    })
}

fn opened(result: io::Result<()>) -> Opened {
    let errno = match result {
        Ok(()) => return Opened::Open,
        Err(error) => Errno::from_raw(error.raw_os_error().unwrap_or_default()),
    };
    if [Errno::ENXIO, Errno::ENODEV].contains(&errno) {
        Opened::Granted
    } else if [Errno::EPERM, Errno::EACCES].contains(&errno) {
        Opened::Denied
    } else {
        Opened::Other(format!("{errno:?}"))
    }
}

/// Makes a node with these numbers and opens it; not being able to make it counts as what opening it gave.
fn make((major, minor): (u64, u64), scratch: &Path) -> DeviceNode {
    let path = scratch.join(format!("berth-probe-{major}-{minor}"));
    let mode = Mode::from_bits_truncate(0o600);
    let made = mknod(&path, SFlag::S_IFCHR, mode, makedev(major, minor)).map_err(io::Error::from);
    let opened = opened(made.and_then(|()| File::open(&path).map(drop)));
    drop(fs::remove_file(&path));
    DeviceNode { path: path.display().to_string(), major, minor, mode: mode.bits(), opened }
}

/// The mounts of `mountinfo` (proc(5)): root, place and options are words 4 to 6, the type follows the dash.
fn mounts(mountinfo: &str) -> Vec<Mount> {
    let mount = |line: &str| {
        let (front, back) = line.split_once(" - ")?;
        let mut words = front.split(' ').skip(3).map(str::to_owned);
        let (root, at, options) = (words.next()?, words.next()?, words.next()?);
        Some(Mount { at, root, options, kind: back.split(' ').next()?.to_owned() })
    };
    mountinfo.lines().filter_map(mount).collect()
}

/// The paths among the strings of a loader's cache.
fn cached(bytes: &[u8]) -> Vec<String> {
    let strings = bytes.split(|byte| *byte == 0).filter(|text| text.starts_with(b"/"));
    strings.map(|text| String::from_utf8_lossy(text).into_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mount_is_told_by_place_root_and_options() {
        let line = "36 35 98:0 /mnt1 /mnt2 ro,noatime master:1 - ext3 /dev/root rw\nbroken\n";
        let mount = Mount {
            at: "/mnt2".into(),
            root: "/mnt1".into(),
            options: "ro,noatime".into(),
            kind: "ext3".into(),
        };
        assert_eq!(mounts(line), [mount]);
    }

    #[test]
    fn a_node_that_can_be_opened_is_told_from_one_without_a_device() {
        let null = device(Path::new("/dev/null")).expect("a node");
        assert_eq!((null.major, null.minor, &null.opened), (1, 3, &Opened::Open));
        assert_eq!(opened(Err(io::Error::from(Errno::ENXIO))), Opened::Granted);
        assert_eq!(opened(Err(io::Error::from(Errno::EPERM))), Opened::Denied);
        assert_eq!(opened(Err(io::Error::from(Errno::ENOENT))), Opened::Other("ENOENT".into()));
    }

    #[test]
    fn what_is_made_to_try_is_removed() {
        let scratch = tempfile::tempdir().expect("a folder");
        let made = make((1, 3), scratch.path());
        assert!(matches!(made.opened, Opened::Open | Opened::Denied), "{made:?}");
        assert_eq!(fs::read_dir(scratch.path()).expect("a folder").count(), 0);
    }

    #[test]
    fn a_cache_tells_the_paths_in_it() {
        assert_eq!(cached(b"glibc-ld.so.cache1.1\0libx.so\0/usr/lib/libx.so\0\0"), ["/usr/lib/libx.so"]);
    }
}
