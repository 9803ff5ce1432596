//! Whatever is done to a node, in whatever order, its files are those that its machine has.
#![expect(clippy::tests_outside_test_module, reason = "an integration test is a test module")]
#![expect(clippy::disallowed_methods, reason = "walks real files")]

use std::{fs, os::unix::fs::FileTypeExt, path::Path};

use berth_node::{
    Node, Recipe,
    change::{self, Stage},
    layout::Layout,
    machine::{self, Feature},
    node::DriverSource,
    nvml::MigChange,
};
use proptest::prelude::*;

#[derive(Debug, Clone)]
enum Step {
    Unload,
    Load(u32),
    Upgrade(bool, Stage),
    Add,
    Remove(u32),
    Feature(Feature, bool),
    Mig(u32, MigChange),
    Reset(u32),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let features = Feature::ALL.map(|(feature, _)| feature).to_vec();
    let stages = vec![Stage::Unpacked, Stage::Linked, Stage::Loaded];
    let mig = ["1g.18gb", "3g.71gb"].map(|profile| MigChange::Create(profile.parse().expect("a profile")));
    let changes =
        [vec![MigChange::Enable, MigChange::Disable, MigChange::Destroy(None)], mig.to_vec()].concat();
    let step = prop_oneof![
        Just(Step::Unload),
        (500u32..512).prop_map(Step::Load),
        (any::<bool>(), prop::sample::select(stages)).prop_map(|(new, stage)| Step::Upgrade(new, stage)),
        Just(Step::Add),
        (0u32..3).prop_map(Step::Remove),
        (prop::sample::select(features), any::<bool>()).prop_map(|(feature, on)| Step::Feature(feature, on)),
        (0u32..3, prop::sample::select(changes)).prop_map(|(gpu, change)| Step::Mig(gpu, change)),
        (0u32..3).prop_map(Step::Reset),
    ];
    prop::collection::vec(step, 1..8)
}

/// Takes one step; one that the node refuses is a step too.
fn take(node: &mut Node, step: &Step) {
    let done = match step {
        Step::Unload => change::unload(node),
        Step::Load(uvm) => change::load(node, Some(*uvm)),
        Step::Upgrade(new, stage) => {
            let version = if *new { "570.86.15" } else { "550.163.01" };
            let source = DriverSource::StandIn(version.parse().expect("a version"));
            change::upgrade(node, &source, *stage).map(drop)
        }
        Step::Add => {
            match machine::place(&machine::parse_gpus("h200").expect("a board"), &node.machine().gpus) {
                Ok(gpus) => gpus.iter().try_for_each(|gpu| change::add(node, gpu)),
                Err(_full) => Ok(()),
            }
        }
        Step::Remove(gpu) => change::remove(node, *gpu),
        Step::Feature(feature, on) => change::feature(node, *feature, *on),
        Step::Mig(gpu, change) => change::mig(node, *gpu, change),
        Step::Reset(gpu) => change::reset(node, *gpu),
    };
    drop(done);
}

/// What lies below `folder`, as a tree's listing has it; folders are left out, because most are only implied.
fn walk(root: &Path, folder: &Path, lines: &mut Vec<String>) {
    for entry in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry")) {
        let (path, kind) = (entry.path(), entry.file_type().expect("a kind"));
        let shown = format!("/{}", path.strip_prefix(root).expect("below").display());
        match () {
            () if shown == "/.berth-node" => {}
            () if kind.is_dir() => walk(root, &path, lines),
            () if kind.is_symlink() => {
                lines.push(format!("{shown} -> {}", fs::read_link(&path).expect("a link").display()));
            }
            () if kind.is_char_device() => lines.push(format!("{shown} c")),
            () if kind.is_socket() => lines.push(format!("{shown} =")),
            () => lines.push(shown),
        }
    }
}

/// The planned listing in the same form.
fn planned(node: &Node) -> Vec<String> {
    let listing = node.tree().expect("a tree").to_string();
    let lines =
        listing.lines().filter(|line| !line.split(' ').next().is_some_and(|path| path.ends_with('/')));
    let short = |line: &str| match line.split_once(" c ") {
        Some((path, _)) => format!("{path} c"),
        None => line.strip_suffix(" 0755").unwrap_or(line).to_owned(),
    };
    lines.map(short).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn the_files_are_those_of_the_machine_after_any_steps(steps in steps()) {
        let root = tempfile::tempdir().expect("a root");
        let gpus = machine::place(&machine::parse_gpus("2xh200").expect("boards"), &[]).expect("slots");
        let mut node = Node::create(root.path(), &Recipe::new(Layout::Debian, gpus)).expect("a node");
        steps.iter().for_each(|step| take(&mut node, step));
        let (mut found, mut expected) = (Vec::new(), planned(&node));
        walk(root.path(), root.path(), &mut found);
        found.sort();
        expected.sort();
        prop_assert_eq!(found, expected);
    }
}
