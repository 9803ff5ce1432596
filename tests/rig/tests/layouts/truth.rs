//! What must hold for every spec, whatever the layout and the mode.

use std::os::unix::fs::FileTypeExt as _;

use super::*;

/// Modes that a discrete GPU's node has besides its usual one.
const FAMILIES: [&str; 6] = ["management", "imex", "gds", "mofed", "nvswitch", "gdrcopy"];

/// Every host path exists, nodes are devices, and nothing tells where this process saw the host.
fn is_true(simulated: &Simulated, spec: &Spec) {
    for edits in spec.all_edits() {
        for mount in &edits.mounts {
            let path = simulated.path(&mount.host_path);
            assert!(fs::symlink_metadata(&path).is_ok_and(|facts| !facts.is_symlink()), "{mount:?}");
        }
        for node in &edits.device_nodes {
            let host = node.host_path.as_ref().unwrap_or(&node.path);
            let facts = fs::symlink_metadata(simulated.path(host)).expect("a node");
            assert!(facts.file_type().is_char_device(), "{node:?}");
            assert_eq!((node.major, node.minor, node.file_mode), (None, None, None), "{node:?}");
        }
    }
    let hooks: Vec<_> = spec.all_edits().flat_map(|edits| &edits.hooks).collect();
    assert!(hooks.len() <= 1 && hooks.iter().all(|hook| !hook.env.is_empty()), "{hooks:?}");
    let text = spec.render(Format::Json);
    assert!(!text.contains(simulated.node.root().to_str().expect("text")), "{text}");
}

/// Nothing of a driver or dev root stands in a container path or in what the hook is told.
fn is_of_a_container(simulated: &Simulated, spec: &Spec) {
    let layout = simulated.node.machine().layout;
    let below_a_root = |path: &str| {
        [layout.driver_root(), layout.dev_root()]
            .iter()
            .any(|root| *root != Path::new("/") && path.contains(root.to_str().expect("text")))
    };
    for edits in spec.all_edits() {
        let mounts = edits.mounts.iter().map(|mount| &mount.container_path);
        let nodes = edits.device_nodes.iter().map(|node| &node.path);
        let told = edits.hooks.iter().flat_map(|hook| &hook.args);
        for path in mounts.chain(nodes).chain(told).chain(&edits.env) {
            assert!(!below_a_root(path), "{layout}: {path}");
        }
    }
}

#[test]
fn every_path_of_every_spec_is_true() {
    for (layout, _) in Layout::ALL {
        let simulated = Simulated::full(layout, "2xl40s");
        let discrete = !layout.is_tegra() && layout != Layout::Wsl;
        let families = FAMILIES.iter().filter(|_| discrete);
        for mode in ["auto"].iter().chain(families) {
            let ran = simulated.generate(&["--mode", mode]);
            assert_eq!(ran.code, 0, "{layout} {mode}: {}", ran.err);
            is_true(&simulated, &ran.spec());
            is_of_a_container(&simulated, &ran.spec());
        }
    }
}

#[test]
fn check_finds_nothing_wrong_with_what_generate_wrote() {
    for (layout, name) in Layout::ALL {
        let simulated = Simulated::full(layout, "2xl40s");
        let file = simulated.path("/run/cdi/nvidia.yaml");
        fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
        let ran = simulated.generate(&["--output", file.to_str().expect("text")]);
        assert_eq!(ran.code, 0, "{name}: {}", ran.err);
        let checked = simulated.run("check", &["--spec-dir".as_ref(), "/run/cdi".as_ref()]);
        assert_eq!((checked.code, checked.out.as_str()), (0, ""), "{name}: {}", checked.err);
        let listed = simulated.run("list", &["--spec-dir".as_ref(), "/run/cdi".as_ref()]);
        let kind = |name: &str| format!("nvidia.com/gpu={name}");
        let wanted: Vec<String> = names(&spec_at(&file)).into_iter().map(kind).collect();
        assert_eq!(listed.out.lines().collect::<Vec<_>>(), wanted, "{name}");
    }
}

fn spec_at(file: &Path) -> Spec {
    Spec::parse(&fs::read(file).expect("a file"), Format::Yaml).expect("a spec")
}

#[test]
fn the_same_node_gives_the_same_bytes() {
    let simulated = Simulated::full(Layout::Debian, "4xl40s");
    let first = simulated.generate(&[]).out;
    assert!((0..3).all(|_| simulated.generate(&[]).out == first));
}
