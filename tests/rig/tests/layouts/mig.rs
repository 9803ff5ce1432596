//! GPUs in parts.

use berth_node::nvml::MigChange;

use super::*;

fn cut(profiles: &[&str]) -> Vec<MigChange> {
    let create = profiles.iter().map(|profile| MigChange::Create(profile.parse().expect("a profile")));
    [MigChange::Enable].into_iter().chain(create).collect()
}

fn parted(boards: &str, gpu: u32, profiles: &[&str]) -> Simulated {
    Simulated::new(Layout::Debian, boards, |recipe| recipe.mig = vec![(gpu, cut(profiles))])
}

#[test]
fn a_mig_device_is_its_parents_node_and_two_capabilities() {
    let simulated = parted("2xh200", 1, &["3g.71gb", "1g.18gb"]);
    let spec = simulated.spec(&["--device-name-strategy", "index"]);
    assert_eq!(names(&spec), ["0", "1:0", "1:1", "all"]);
    for name in ["1:0", "1:1"] {
        let device = device(&spec, name);
        let nodes = nodes(device);
        assert_eq!(nodes.len(), 3, "{nodes:?}");
        assert!(nodes.contains(&"/dev/nvidia1"), "{nodes:?}");
        let caps = nodes.iter().filter(|node| node.starts_with("/dev/nvidia-caps/nvidia-cap")).count();
        assert_eq!(caps, 2, "{nodes:?}");
    }
}

#[test]
fn graphics_nodes_of_the_parent_come_with_gfx_profiles_or_on_request() {
    let simulated = parted("rtx-pro-6000-blackwell-server", 0, &["1g.24gb", "1g.24gb+gfx"]);
    let drm = |spec: &Spec| -> Vec<bool> {
        ["0:0", "0:1"]
            .map(|name| nodes(device(spec, name)).iter().any(|node| node.starts_with("/dev/dri/")))
            .to_vec()
    };
    let mut usual = drm(&simulated.spec(&[]));
    usual.sort_unstable();
    assert_eq!(usual, [false, true]);
    assert_eq!(drm(&simulated.spec(&["--mig-drm"])), [true, true]);
}

#[test]
fn a_mig_device_without_a_capability_node_is_left_out_and_named() {
    let simulated = parted("2xh200", 1, &["3g.71gb", "1g.18gb"]);
    let spec = simulated.spec(&[]);
    let lost = nodes(device(&spec, "1:0"))
        .into_iter()
        .find(|node| node.contains("nvidia-caps"))
        .expect("a capability");
    simulated.remove(lost);
    let ran = simulated.generate(&["--device-name-strategy", "index"]);
    assert_eq!((ran.code, names(&ran.spec())), (0, vec!["0", "1:1", "all"]));
    assert!(ran.err.starts_with("warning: mig device 1:0 needs "), "{}", ran.err);
    assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
}

#[test]
fn a_gpu_in_mig_mode_without_instances_is_no_device() {
    let simulated = parted("2xh200", 1, &[]);
    assert_eq!(names(&simulated.spec(&["--device-name-strategy", "index"])), ["0", "all"]);
    let simulated = parted("h200", 0, &[]);
    let ran = simulated.generate(&[]);
    assert_eq!((ran.code, ran.out.as_str()), (1, ""));
    assert!(ran.err.contains("in mig mode and have no instances"), "{}", ran.err);
}

#[test]
fn devices_are_chosen_by_index_pair_and_uuid() {
    let simulated = parted("3xh200", 1, &["3g.71gb", "1g.18gb"]);
    let all = simulated.spec(&["--device-name-strategy", "uuid"]);
    let mig = names(&all).into_iter().find(|name| name.starts_with("MIG-")).expect("a device").to_owned();
    for (ids, wanted) in [
        (vec!["0"], vec!["0", "all"]),
        (vec!["1:1", "2"], vec!["1:1", "2", "all"]),
        (vec!["1"], vec!["1:0", "1:1", "all"]),
        (vec!["none"], vec!["none"]),
        (vec!["0", "0"], vec!["0", "all"]),
        (vec!["all"], vec!["0", "1:0", "1:1", "2", "all"]),
    ] {
        let mut arguments = vec!["--device-name-strategy", "index"];
        ids.iter().for_each(|id| arguments.extend(["--device-id", *id]));
        assert_eq!(names(&simulated.spec(&arguments)), wanted, "{ids:?}");
    }
    let one = simulated.spec(&["--device-name-strategy", "uuid", "--device-id", &mig, "--no-all-device"]);
    assert_eq!(names(&one), [&mig]);
}

#[test]
fn a_name_that_is_asked_for_twice_is_given_once() {
    let simulated = parted("2xh200", 1, &["1g.18gb"]);
    let spec =
        simulated.spec(&["--device-name-strategy", "index,type-index", "--device-name-strategy", "index"]);
    assert_eq!(names(&spec), ["0", "1:0", "all", "gpu0", "mig1:0"]);
}

#[test]
fn a_device_that_is_not_there_is_answered_with_those_that_are() {
    let simulated = parted("2xh200", 1, &["1g.18gb"]);
    let ran = simulated.generate(&["--device-id", "7"]);
    assert_eq!((ran.code, ran.out.as_str()), (1, ""));
    assert_eq!(ran.err, "error: device \"7\" is not on this host; it has 0, 1:0\n");
}
