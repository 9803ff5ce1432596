//! Whether a container sees what was asked for, and nothing else.
//!
//! What was asked for is read off the spec, what the container sees is told by the probe; both are data.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Component, Path, PathBuf},
};

use berth_cdi::spec::{ContainerEdits, Spec};
use berth_probe::{Opened, Report};

/// Device nodes that every container has.
const STANDARD: [&str; 8] = [
    "/dev/null",
    "/dev/zero",
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
    "/dev/tty",
    "/dev/console",
    "/dev/ptmx",
];

/// Numbers of the node's GPU nodes, by path.
pub type Nodes = BTreeMap<String, (u64, u64)>;

/// What a container with some devices must have.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Device nodes with their numbers.
    pub nodes: Nodes,
    /// Mounts, and whether each is read-only.
    pub mounts: BTreeMap<String, bool>,
    /// Links and what they hold.
    pub links: BTreeMap<String, String>,
    /// `NAME=VALUE`.
    pub env: BTreeSet<String>,
    /// Folders that the loader's cache covers.
    pub folders: BTreeSet<String>,
}

/// What a container that asks for the devices `names` of `spec` must have; `host` has the numbers of nodes.
#[must_use]
pub fn wanted(spec: &Spec, names: &[&str], host: &Nodes) -> Wanted {
    let asked = spec.devices.iter().filter(|device| names.contains(&device.name.as_str()));
    let edits: Vec<&ContainerEdits> =
        asked.map(|device| &device.container_edits).chain([&spec.container_edits]).collect();
    let mut wanted = Wanted::default();
    for node in edits.iter().flat_map(|edits| &edits.device_nodes) {
        wanted.nodes.insert(node.path.clone(), host.get(node.on_host()).copied().unwrap_or_default());
    }
    for mount in edits.iter().flat_map(|edits| &edits.mounts) {
        let read_only = mount.options.iter().any(|option| option == "ro");
        wanted.mounts.insert(mount.container_path.clone(), read_only);
    }
    wanted.env.extend(edits.iter().flat_map(|edits| &edits.env).cloned());
    let hooks: Vec<_> = edits.iter().flat_map(|edits| &edits.hooks).collect();
    for (flag, value) in hooks.iter().flat_map(|hook| hook.args.iter().zip(hook.args.iter().skip(1))) {
        let Some((target, link)) = value.split_once("::") else {
            wanted.folders.extend((flag == "--folder").then(|| value.clone()));
            continue;
        };
        let present = wanted.nodes.contains_key(&resolved(link, target));
        if flag == "--link" || (flag == "--link-if-present" && present) {
            wanted.links.insert(link.to_owned(), target.to_owned());
        }
    }
    wanted
}

/// The path that the link `link` to `target` leads to.
fn resolved(link: &str, target: &str) -> String {
    let mut path = PathBuf::from(link);
    path.pop();
    for part in Path::new(target).components() {
        match part {
            Component::RootDir => path = PathBuf::from("/"),
            Component::ParentDir => drop(path.pop()),
            Component::Normal(name) => path.push(name),
            Component::CurDir | Component::Prefix(_) => {}
        }
    }
    path.display().to_string()
}

/// Every way in which the container of `report` differs from what is wanted, one line each. `host` are all GPU
/// nodes of the node: those that were not asked for must not be reached, by whatever name.
#[must_use]
pub fn differences(wanted: &Wanted, host: &Nodes, report: &Report) -> Vec<String> {
    let mut found = devices(wanted, report);
    found.extend(escapes(wanted, host, report));
    found.extend(mounts(wanted, report));
    found.extend(links(wanted, report));
    let env: BTreeSet<String> = report.env.iter().map(|(name, value)| format!("{name}={value}")).collect();
    found.extend(wanted.env.difference(&env).map(|missing| format!("{missing} is not in its environment")));
    let cached = report.cached.as_deref().unwrap_or_default();
    let cuda = cached.iter().any(|path| path.ends_with("/libcuda.so.1"));
    if !wanted.folders.is_empty() && !cuda {
        found.push("the loader's cache does not know libcuda.so.1".into());
    }
    found
}

fn devices(wanted: &Wanted, report: &Report) -> Vec<String> {
    let mut found = Vec::new();
    for (path, numbers) in &wanted.nodes {
        match report.devices.iter().find(|node| node.path == *path) {
            None => found.push(format!("{path} is missing")),
            Some(node) if (node.major, node.minor) != *numbers => {
                found.push(format!("{path} is {}:{} instead of {numbers:?}", node.major, node.minor));
            }
            Some(node) if !node.opened.allowed() => {
                found.push(format!("{path} cannot be opened: {:?}", node.opened));
            }
            Some(_) => {}
        }
    }
    let standard = |path: &str| STANDARD.contains(&path);
    let unasked =
        report.devices.iter().filter(|node| !wanted.nodes.contains_key(&node.path) && !standard(&node.path));
    found.extend(unasked.map(|node| format!("{} is there and was not asked for", node.path)));
    found
}

/// A granted number must be granted to a node that the container makes, and any other refused.
fn escapes(wanted: &Wanted, host: &Nodes, report: &Report) -> Vec<String> {
    let granted: BTreeSet<(u64, u64)> = wanted.nodes.values().copied().collect();
    let mut found = Vec::new();
    for (path, numbers) in host.iter().filter(|(_, numbers)| !granted.contains(numbers)) {
        let tried = report.made.iter().find(|node| (node.major, node.minor) == *numbers);
        match tried.map(|node| &node.opened) {
            Some(Opened::Denied) => {}
            Some(other) => found.push(format!("{path} was not asked for and can be reached: {other:?}")),
            None => found.push(format!("{path} was not tried")),
        }
    }
    found
}

fn mounts(wanted: &Wanted, report: &Report) -> Vec<String> {
    let mut found = Vec::new();
    for (at, read_only) in &wanted.mounts {
        match report.mounts.iter().rev().find(|mount| mount.at == *at) {
            None => found.push(format!("{at} is not mounted")),
            Some(mount) if *read_only && !mount.options.split(',').any(|option| option == "ro") => {
                found.push(format!("{at} can be written"));
            }
            Some(_) => {}
        }
    }
    let nvidia =
        report.mounts.iter().filter(|mount| mount.at.contains("nvidia") || mount.at.contains("cuda"));
    // A copy of the driver's parameters is the hook's own.
    let unasked =
        nvidia.filter(|mount| !wanted.mounts.contains_key(&mount.at) && !mount.at.starts_with("/proc/"));
    found.extend(unasked.map(|mount| format!("{} is mounted and was not asked for", mount.at)));
    found
}

fn links(wanted: &Wanted, report: &Report) -> Vec<String> {
    let mut found = Vec::new();
    for (path, target) in &wanted.links {
        match report.links.iter().find(|link| link.path == *path) {
            None => found.push(format!("the link {path} is missing")),
            Some(link) if link.target != *target => {
                found.push(format!("the link {path} leads to {} instead of {target}", link.target));
            }
            Some(_) => {}
        }
    }
    let gpu = report.links.iter().filter(|link| link.path.starts_with("/dev/dri/"));
    let unasked = gpu.filter(|link| !wanted.links.contains_key(&link.path));
    found.extend(unasked.map(|link| format!("the link {} was not asked for", link.path)));
    found
}

#[cfg(test)]
mod tests {
    use berth_cdi::spec::Format;
    use berth_probe::{DeviceNode, Link, Mount};

    use super::*;

    const SPEC: &str = r#"
cdiVersion: "0.6.0"
kind: nvidia.com/gpu
devices:
- name: "0"
  containerEdits: {deviceNodes: [{path: /dev/nvidia0}, {path: /dev/dri/card1}]}
- name: "1"
  containerEdits: {deviceNodes: [{path: /dev/nvidia1}]}
containerEdits:
  env: [A=b]
  mounts: [{hostPath: /x/libcuda.so.1, containerPath: /x/libcuda.so.1, options: [ro]}]
  hooks:
  - hookName: createContainer
    path: /usr/bin/h
    args: [h, create-container, --link, a::/x/b, --link-if-present, ../card1::/dev/dri/by-path/p, --folder, /x]
"#;

    fn host() -> Nodes {
        let nodes = [("/dev/nvidia0", (195, 0)), ("/dev/nvidia1", (195, 1)), ("/dev/dri/card1", (226, 1))];
        nodes.into_iter().map(|(path, numbers)| (path.to_owned(), numbers)).collect()
    }

    fn node(path: &str, major: u64, minor: u64, opened: Opened) -> DeviceNode {
        DeviceNode { path: path.into(), major, minor, mode: 0o666, opened }
    }

    /// Makes a good report a bad one.
    type Change = fn(&mut Report);

    /// What a container with device 0 sees when all is well.
    fn good() -> Report {
        let link = |path: &str, target: &str| Link { path: path.into(), target: target.into() };
        Report {
            env: [("A".to_owned(), "b".to_owned())].into(),
            devices: vec![
                node("/dev/nvidia0", 195, 0, Opened::Granted),
                node("/dev/dri/card1", 226, 1, Opened::Granted),
                node("/dev/null", 1, 3, Opened::Open),
            ],
            made: vec![node("/m", 195, 1, Opened::Denied)],
            mounts: vec![Mount {
                at: "/x/libcuda.so.1".into(),
                root: "/".into(),
                options: "ro,nosuid".into(),
                kind: "ext4".into(),
            }],
            links: vec![link("/x/b", "a"), link("/dev/dri/by-path/p", "../card1")],
            cached: Some(vec!["/x/libcuda.so.1".into()]),
            params: None,
        }
    }

    fn told(change: impl FnOnce(&mut Report)) -> String {
        let spec = Spec::parse(SPEC.as_bytes(), Format::Yaml).expect("a spec");
        let mut report = good();
        change(&mut report);
        differences(&wanted(&spec, &["0"], &host()), &host(), &report).join("; ")
    }

    #[test]
    fn a_container_that_has_what_it_asked_for_differs_in_nothing() {
        assert_eq!(told(|_| ()), "");
    }

    #[test]
    fn each_thing_that_is_missing_or_too_much_is_named() {
        let cases: [(&str, Change); 11] = [
            ("/dev/nvidia0 is missing", |report| drop(report.devices.remove(0))),
            ("/dev/nvidia0 is 195:9 instead of (195, 0)", |report| report.devices[0].minor = 9),
            ("/dev/nvidia0 cannot be opened: Denied", |report| report.devices[0].opened = Opened::Denied),
            ("/dev/nvidia1 is there and was not asked for", |report| {
                report.devices.push(node("/dev/nvidia1", 195, 1, Opened::Denied));
            }),
            ("/dev/nvidia1 was not asked for and can be reached: Granted", |report| {
                report.made[0].opened = Opened::Granted;
            }),
            ("/x/libcuda.so.1 is not mounted", |report| report.mounts.clear()),
            ("/x/libcuda.so.1 can be written", |report| report.mounts[0].options = "rw".into()),
            ("the link /x/b is missing", |report| drop(report.links.remove(0))),
            ("the link /x/b leads to c instead of a", |report| report.links[0].target = "c".into()),
            ("A=b is not in its environment", |report| report.env.clear()),
            ("the loader's cache does not know libcuda.so.1", |report| report.cached = None),
        ];
        for (expected, change) in cases {
            assert_eq!(told(change), expected);
        }
    }

    #[test]
    fn a_link_to_a_node_is_wanted_with_the_node_alone() {
        let spec = Spec::parse(SPEC.as_bytes(), Format::Yaml).expect("a spec");
        let links = |name| wanted(&spec, &[name], &host()).links.into_keys().collect::<Vec<_>>();
        assert_eq!(links("0"), ["/dev/dri/by-path/p", "/x/b"]);
        assert_eq!(links("1"), ["/x/b"]);
    }
}
