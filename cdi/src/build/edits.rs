//! Single edits, as a document has them.

use std::path::Path;

use super::Node;
use crate::{
    host::{FoundFile, HostSnapshot, LeftOut, NULL, NodeFacts},
    spec::{ContainerEdits, DeviceNode, Mount},
};

/// Asks NVIDIA's legacy hook for no device, by environment.
const NO_DEVICE: &str = "NVIDIA_VISIBLE_DEVICES=void";
/// Asks it for no device, by the name of a mount: some nodes are set up to read nothing else.
const NO_DEVICE_MOUNT: &str = "/var/run/nvidia-container-devices/void";
/// A node is bound, and nothing below it.
const NO_DEVICE_OPTIONS: [&str; 4] = ["ro", "nosuid", "nodev", "bind"];

/// Files are read, never changed.
const FILE: [&str; 5] = ["ro", "nosuid", "nodev", "rbind", "rprivate"];
/// Daemons are talked to: a read-only socket can't be connected in a nested container.
const SOCKET: [&str; 5] = ["nosuid", "nodev", "rbind", "rprivate", "noexec"];
/// Permission bit of others that may write.
const OTHERS_WRITE: u32 = 0o002;
/// Permission bit of others that may read.
const OTHERS_READ: u32 = 0o004;

/// Keeps NVIDIA's legacy hook from doing its work on top of CDI's, in both ways in which it is asked.
pub(super) fn no_legacy_hook(snapshot: &HostSnapshot) -> ContainerEdits {
    let mount = snapshot.null.then(|| Mount {
        host_path: NULL.into(),
        container_path: NO_DEVICE_MOUNT.into(),
        options: NO_DEVICE_OPTIONS.map(str::to_owned).into(),
        kind: None,
    });
    ContainerEdits {
        env: vec![NO_DEVICE.into()],
        mounts: mount.into_iter().collect(),
        ..ContainerEdits::default()
    }
}

/// `path` as a document has it; one that is no UTF-8 can't stand in a document and is named in `left_out`.
pub(super) fn text(path: &Path, left_out: &mut Vec<LeftOut>) -> Option<String> {
    let text = path.to_str().map(ToOwned::to_owned);
    if text.is_none() {
        let why = "is no utf-8, which a spec must be; rename it".to_owned();
        left_out.push(LeftOut { what: path.display().to_string(), why });
    }
    text
}

/// Adds the device node at `path` of the container.
pub(super) fn add_node(
    edits: &mut ContainerEdits,
    (path, facts): (&Path, &NodeFacts),
    said: Node,
    left_out: &mut Vec<LeftOut>,
) {
    let (Some(path), Some(host)) = (text(path, left_out), text(&facts.host, left_out)) else { return };
    let numbers = |value: u32| said.numbers.then_some(value);
    edits.device_nodes.push(DeviceNode {
        host_path: (host != path).then_some(host),
        path,
        major: numbers(facts.major),
        minor: numbers(facts.minor),
        file_mode: numbers(facts.mode & 0o777),
        permissions: Some("rwm".into()),
        gid: numbers(facts.gid).filter(|gid| *gid != 0),
        ..DeviceNode::default()
    });
    if said.groups && needs_group(facts) {
        edits.additional_gids.push(facts.gid);
    }
}

/// Whether a process that is neither owner nor in the group can't use the node.
fn needs_group(facts: &NodeFacts) -> bool {
    let others = OTHERS_READ | OTHERS_WRITE;
    facts.gid != 0 && facts.mode & others != others
}

/// Adds read-only mounts of `files`.
pub(super) fn add_files(edits: &mut ContainerEdits, files: &[FoundFile], left_out: &mut Vec<LeftOut>) {
    edits.mounts.extend(files.iter().filter_map(|file| mount(file, &FILE, left_out)));
}

/// Adds mounts of `sockets`.
pub(super) fn add_sockets(edits: &mut ContainerEdits, sockets: &[FoundFile], left_out: &mut Vec<LeftOut>) {
    edits.mounts.extend(sockets.iter().filter_map(|socket| mount(socket, &SOCKET, left_out)));
}

fn mount(file: &FoundFile, options: &[&str], left_out: &mut Vec<LeftOut>) -> Option<Mount> {
    Some(Mount {
        host_path: text(&file.host, left_out)?,
        container_path: text(&file.container, left_out)?,
        options: options.iter().map(ToString::to_string).collect(),
        kind: None,
    })
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    fn facts(mode: u32, gid: u32) -> NodeFacts {
        NodeFacts { host: PathBuf::from("/root/dev/x"), major: 195, minor: 0, mode, uid: 0, gid }
    }

    #[test]
    fn a_group_is_added_only_where_it_is_needed_and_asked_for() {
        for (mode, gid, asked, wanted) in [
            (0o660, 44, true, vec![44]),
            (0o660, 44, false, vec![]),
            (0o666, 44, true, vec![]),
            (0o664, 44, true, vec![44]),
            (0o660, 0, true, vec![]),
        ] {
            let mut edits = ContainerEdits::default();
            let said = Node { numbers: false, groups: asked };
            add_node(&mut edits, (Path::new("/dev/x"), &facts(mode, gid)), said, &mut Vec::new());
            assert_eq!(edits.additional_gids, wanted, "{mode:o} {gid} {asked}");
        }
    }

    #[test]
    fn a_minor_number_of_zero_is_said() {
        let mut edits = ContainerEdits::default();
        let said = Node { numbers: true, groups: false };
        add_node(&mut edits, (Path::new("/dev/x"), &facts(0o666, 0)), said, &mut Vec::new());
        let node = edits.device_nodes.first().expect("a node");
        assert_eq!((node.major, node.minor, node.file_mode), (Some(195), Some(0), Some(0o666)));
        assert_eq!(node.host_path.as_deref(), Some("/root/dev/x"));
    }

    #[test]
    fn a_path_that_is_no_text_is_named() {
        use std::{ffi::OsStr, os::unix::ffi::OsStrExt};
        let mut left_out = Vec::new();
        assert_eq!(text(Path::new(OsStr::from_bytes(b"/lib/\xff")), &mut left_out), None);
        assert_eq!(left_out.first().expect("a note").what, "/lib/\u{fffd}");
    }
}
