//! Documents for tests: one that uses every field, and any.

use proptest::{collection::vec, option::of, prelude::*};

use super::*;

/// A document in which every field of CDI 1.1.0 stands.
pub(crate) fn full() -> Spec {
    Spec::parse(FULL.as_bytes(), Format::Yaml).expect("the sample is valid")
}

/// As [`full`], in the shape that people write by hand.
pub(crate) const FULL: &str = r#"---
# Written by hand.
cdiVersion: "1.1.0"
kind: nvidia.com/gpu
annotations: {berth.dev/node: rack-1}
devices:
- name: "0"
  annotations:
    gpu.nvidia.com/coherent: "false"
  containerEdits:
    deviceNodes:
    - path: /dev/nvidia0
      hostPath: /run/nvidia/driver/dev/nvidia0
      type: c
      major: 195
      minor: 0
      fileMode: 0666
      permissions: rwm
      uid: 0
      gid: 44
    netDevices:
    - {hostInterfaceName: eth1, name: rdma0}
    intelRdt:
      closID: gold
      l3CacheSchema: L3:0=f
      memBwSchema: MB:0=50
      schemata: ["L2:0=f"]
      enableMonitoring: true
      enableCMT: true
      enableMBM: true
    additionalGids: [44, 105]
containerEdits:
  env: [NVIDIA_VISIBLE_DEVICES=void]
  mounts:
  - hostPath: /usr/lib/libcuda.so.550.163.01
    containerPath: /usr/lib/libcuda.so.550.163.01
    options: [ro, nosuid, nodev, rbind, rprivate]
  - hostPath: tmpfs
    containerPath: /run/scratch
    type: tmpfs
  hooks:
  - hookName: createContainer
    path: /usr/bin/berth-cdi-hook
    args: [berth-cdi-hook, create-container]
    env: ["BERTH_CDI_HOOK_DEBUG=false"]
    timeout: 10
"#;

/// What YAML takes for something else than text.
const TRAPS: [&str; 14] =
    ["0", "1:0", "yes", "null", "~", "0x1f", "1_000", "- a", "a: b", "#", "&a", "*a", "!!int 1", "é\u{85}"];

const NAMES: [HookName; 4] =
    [HookName::Prestart, HookName::CreateRuntime, HookName::CreateContainer, HookName::Poststop];

/// Any text, with a liking for what YAML takes for something else.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![any::<String>(), prop::sample::select(&TRAPS[..]).prop_map(String::from)]
}

fn path() -> impl Strategy<Value = String> {
    "/[a-z0-9 :#.-]{0,8}(/[a-z0-9._-]{1,6}){0,3}"
}

fn node() -> impl Strategy<Value = DeviceNode> {
    let kind =
        prop::sample::select(&[NodeKind::Char, NodeKind::Block, NodeKind::Unbuffered, NodeKind::Pipe][..]);
    let ids = (of(any::<u32>()), of(any::<u32>()), of(0u32..0o7777), of(any::<u32>()), of(any::<u32>()));
    (path(), of(path()), of(kind), of("[rwm]{1,3}"), ids).prop_map(
        |(path, host_path, kind, permissions, ids)| {
            let (major, minor, file_mode, uid, gid) = ids;
            DeviceNode { path, host_path, kind, major, minor, file_mode, permissions, uid, gid }
        },
    )
}

fn mount() -> impl Strategy<Value = Mount> {
    (path(), path(), vec("[a-z]{1,8}", 0..4), of("[a-z]{1,6}")).prop_map(
        |(host_path, container_path, options, kind)| Mount { host_path, container_path, options, kind },
    )
}

fn hook() -> impl Strategy<Value = Hook> {
    (prop::sample::select(&NAMES[..]), path(), vec(text(), 0..4), vec(env(), 0..3), of(any::<u32>()))
        .prop_map(|(hook_name, path, args, env, timeout)| Hook { hook_name, path, args, env, timeout })
}

fn env() -> impl Strategy<Value = String> {
    ("[A-Z_]{1,6}", text()).prop_map(|(name, value)| format!("{name}={}", value.replace('\0', "")))
}

/// Any edits that follow the rules.
pub(crate) fn edits() -> impl Strategy<Value = ContainerEdits> {
    (vec(env(), 0..3), vec(node(), 0..4), vec(mount(), 0..4), vec(hook(), 0..3), vec(any::<u32>(), 0..3))
        .prop_map(|(env, device_nodes, mounts, hooks, additional_gids)| ContainerEdits {
            env,
            device_nodes,
            mounts,
            hooks,
            additional_gids,
            ..ContainerEdits::default()
        })
}

fn device() -> impl Strategy<Value = Device> {
    let name = prop_oneof![
        "[a-z0-9]{1,3}",
        "[0-9]{1,2}:[0-9]",
        "[0-9]e[0-9]",
        Just("null".into()),
        Just("yes".into())
    ];
    let annotations = prop::collection::btree_map("[a-z]{1,9}", text(), 0..3);
    (name, annotations, edits(), node()).prop_map(|(name, annotations, mut container_edits, node)| {
        container_edits.device_nodes.push(node);
        Device { name: name.parse().expect("a name"), annotations, container_edits }
    })
}

/// Any document that follows the rules, at its lowest version.
pub(crate) fn spec() -> impl Strategy<Value = Spec> {
    let devices = vec(device(), 1..5).prop_map(|mut devices| {
        devices.sort_by(|a, b| a.name.cmp(&b.name));
        devices.dedup_by(|a, b| a.name == b.name);
        devices
    });
    (devices, edits(), prop::sample::select(&["nvidia.com/gpu", "v/c", "berth/claim.x"][..])).prop_map(
        |(devices, container_edits, kind)| {
            let kind = kind.parse().expect("a kind");
            let annotations = std::collections::BTreeMap::new();
            let mut spec = Spec { cdi_version: Version::V0_3_0, kind, annotations, devices, container_edits };
            spec.cdi_version = required_version(&spec);
            spec
        },
    )
}
