//! A spec as a set of facts: what a container gets, whatever the order and the number of processes.

use std::{collections::BTreeSet, fmt};

use berth_cdi::spec::{ContainerEdits, DeviceNode, Hook, Mount, Spec};

/// Whom a fact is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    /// The document.
    File,
    /// Every container.
    Common,
    /// A container with a whole GPU, or another thing that is asked for by its own name.
    Device,
    /// A container with a MIG device.
    Mig,
    /// A container that asks for `all`.
    All,
}

/// One thing that is so.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fact {
    /// Whom it is about.
    pub scope: Scope,
    /// What it is about.
    pub topic: Topic,
    /// The thing itself.
    pub text: String,
}

/// What a fact is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Topic {
    /// The lowest version of CDI that can read the document.
    Version,
    /// Vendor and class.
    Kind,
    /// A device can be asked for.
    Name,
    /// A variable of the environment.
    Variable,
    /// A device node.
    Node,
    /// Numbers and permission bits of nodes are written down.
    Numbers,
    /// A group of the process.
    Group,
    /// A mount.
    Mount,
    /// What is mounted, where the host has it elsewhere.
    Origin,
    /// Options of a mount.
    Options,
    /// A link that a hook makes.
    Link,
    /// Something else that a hook does.
    Action,
    /// How many processes the runtime starts.
    Processes,
}

impl fmt::Display for Scope {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::File => "file",
            Self::Common => "every container",
            Self::Device => "one device",
            Self::Mig => "one MIG device",
            Self::All => "`all`",
        })
    }
}

/// The facts of `spec`.
#[must_use]
pub fn facts(spec: &Spec) -> BTreeSet<Fact> {
    let mut facts = BTreeSet::new();
    let mut file = |topic, text| facts.insert(Fact { scope: Scope::File, topic, text });
    file(Topic::Version, spec.cdi_version.to_string());
    file(Topic::Kind, spec.kind.to_string());
    for device in &spec.devices {
        file(Topic::Name, device.name.to_string());
    }
    edits(&mut facts, Scope::Common, &spec.container_edits);
    for device in &spec.devices {
        edits(&mut facts, scope(device.name.as_str()), &device.container_edits);
    }
    facts
}

fn scope(name: &str) -> Scope {
    match name {
        "all" => Scope::All,
        _ if name.starts_with("MIG-") || name.contains(':') => Scope::Mig,
        _ => Scope::Device,
    }
}

fn edits(facts: &mut BTreeSet<Fact>, scope: Scope, edits: &ContainerEdits) {
    let mut add = |topic, text: String| {
        facts.insert(Fact { scope, topic, text });
    };
    edits.env.iter().for_each(|variable| add(Topic::Variable, variable.clone()));
    edits.device_nodes.iter().for_each(|node| nodes(node, &mut add));
    edits.additional_gids.iter().for_each(|group| add(Topic::Group, group.to_string()));
    edits.mounts.iter().for_each(|mount| mounts(mount, &mut add));
    edits.hooks.iter().for_each(|hook| actions(hook, &mut add));
    if !edits.hooks.is_empty() {
        add(Topic::Processes, edits.hooks.len().to_string());
    }
}

fn nodes(node: &DeviceNode, add: &mut impl FnMut(Topic, String)) {
    add(Topic::Node, node.path.clone());
    if node.on_host() != node.path {
        add(Topic::Origin, format!("{} from {}", node.path, node.on_host()));
    }
    if node.major.or(node.minor).or(node.file_mode).is_some() {
        add(Topic::Numbers, "numbers and permission bits".into());
    }
}

fn mounts(mount: &Mount, add: &mut impl FnMut(Topic, String)) {
    add(Topic::Mount, mount.container_path.clone());
    if mount.host_path != mount.container_path {
        add(Topic::Origin, format!("{} from {}", mount.container_path, mount.host_path));
    }
    let mut options = mount.options.clone();
    options.sort();
    add(Topic::Options, format!("{} {}", mount.container_path, options.join(",")));
}

/// What a hook does. Both programs' hooks name their work by the same flags.
fn actions(hook: &Hook, add: &mut impl FnMut(Topic, String)) {
    let mut words = hook.args.iter().skip(1).map(String::as_str);
    while let Some(word) = words.next() {
        let mut value = || words.next().unwrap_or_default();
        match word.split_once('=').map_or(word, |(flag, _)| flag) {
            "--link" => add(Topic::Link, link(value())),
            "--link-if-present" => add(Topic::Link, format!("{} if there", link(value()))),
            "--folder" => add(Topic::Action, format!("libraries of {}", value())),
            "--host-driver-version" | "--host-cuda-version" | "--cuda-compat-container-root" => {
                let value = word.split_once('=').map_or_else(value, |(_, value)| value);
                add(Topic::Action, format!("compatibility libraries by {value}"));
            }
            "disable-device-node-modification" | "--disable-device-node-modification" => {
                add(Topic::Action, "no device node modification".into());
            }
            "update-application-profile" | "--update-application-profile" => {
                add(Topic::Action, "application profile".into());
            }
            "apply-cuda-memory-limits" => add(Topic::Action, "limits of CUDA memory".into()),
            "--driver-root" | "--gpu-id" => _ = value(),
            "create-container" | "hook" | "create-symlinks" | "update-ldcache" | "enable-cuda-compat" => {}
            other => add(Topic::Action, other.into()),
        }
    }
}

fn link(pair: &str) -> String {
    pair.split_once("::").map_or_else(|| pair.into(), |(target, link)| format!("{link} -> {target}"))
}

#[cfg(test)]
mod tests {
    use berth_cdi::spec::Format;

    use super::*;

    const THEIRS: &str = r#"{"cdiVersion":"0.5.0","kind":"nvidia.com/gpu","devices":[{"name":"0","containerEdits":
        {"deviceNodes":[{"path":"/dev/nvidia0","major":195,"permissions":"rwm"}]}}],"containerEdits":{"hooks":[
        {"hookName":"createContainer","path":"/h","args":["h","create-symlinks","--link","a::/b","--link","c::/d"]},
        {"hookName":"createContainer","path":"/h","args":["h","enable-cuda-compat","--host-driver-version=5"]}]}}"#;
    const OURS: &str = r#"{"cdiVersion":"0.5.0","kind":"nvidia.com/gpu","devices":[{"name":"0","containerEdits":
        {"deviceNodes":[{"path":"/dev/nvidia0","permissions":"rwm"}]}}],"containerEdits":{"hooks":[
        {"hookName":"createContainer","path":"/o","args":["o","create-container","--link","c::/d","--link","a::/b",
        "--host-driver-version","5"]}]}}"#;

    #[test]
    fn the_same_work_by_other_processes_is_the_same_facts() {
        let [theirs, ours] =
            [THEIRS, OURS].map(|text| facts(&Spec::parse(text.as_bytes(), Format::Json).expect("a spec")));
        let differ: Vec<Topic> = theirs.symmetric_difference(&ours).map(|fact| fact.topic).collect();
        assert_eq!(differ, [Topic::Processes, Topic::Processes, Topic::Numbers]);
    }
}
