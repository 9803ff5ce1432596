//! Whole specs of hand-made snapshots, one a mode, and what must hold for all of them.

use std::{collections::BTreeMap, path::PathBuf};

use berth_allocator::inventory::{Coherence, Faulty, Gpu, Inventory, MigDevice, MigMode};
use proptest::prelude::*;

use super::*;
use crate::{
    host::{Capability, DriverFiles, FoundFile, Link, NodeFacts, TegraFiles, WslFiles},
    spec::{Format, validate},
};

fn node(path: &str) -> (PathBuf, NodeFacts) {
    let facts = NodeFacts { host: path.into(), major: 195, minor: 0, mode: 0o666, uid: 0, gid: 0 };
    (path.into(), facts)
}

fn nodes(paths: &[&str]) -> BTreeMap<PathBuf, NodeFacts> {
    paths.iter().map(|path| node(path)).collect()
}

fn file(path: &str) -> FoundFile {
    FoundFile { host: path.into(), container: path.into() }
}

fn uuid(kind: &str, number: u32) -> String {
    format!("{kind}-00000000-0000-4000-8000-{number:012}")
}

fn gpu(index: u32) -> Gpu {
    Gpu {
        index,
        minor: index,
        uuid: uuid("GPU", index).parse().expect("a uuid"),
        name: "NVIDIA H200".into(),
        pci: format!("0000:{:02x}:00.0", 0x3b + index).parse().expect("an address"),
        mig_mode: MigMode::Disabled,
        mig_devices: Vec::new(),
        coherence: if index == 0 { Coherence::Coherent } else { Coherence::NonCoherent },
        drm_nodes: vec![format!("card{index}"), format!("renderD{}", 128 + index)],
    }
}

fn mig(index: u32, graphics: bool) -> MigDevice {
    let uuid = uuid("MIG", index).parse().expect("a uuid");
    MigDevice { index, uuid, gpu_instance: 7 + index, compute_instance: 0, graphics }
}

/// Two GPUs: a whole one, and one with two MIG devices of which the second may draw.
fn host() -> HostSnapshot {
    let parted = Gpu { mig_mode: MigMode::Enabled, mig_devices: vec![mig(0, false), mig(1, true)], ..gpu(1) };
    let gi = |gi| Capability::GpuInstance { gpu: 1, gi };
    let ci = |gi| Capability::ComputeInstance { gpu: 1, gi, ci: 0 };
    HostSnapshot {
        inventory: Inventory { gpus: vec![gpu(0), parted], faulty: Vec::new() },
        driver_version: Some("550.163.01".into()),
        cuda_version: Some("12.4".into()),
        nodes: nodes(&[
            "/dev/nvidia0",
            "/dev/nvidia1",
            "/dev/nvidiactl",
            "/dev/nvidia-uvm",
            "/dev/nvidia-uvm-tools",
            "/dev/nvidia-modeset",
            "/dev/dri/card0",
            "/dev/dri/renderD128",
            "/dev/dri/card1",
            "/dev/dri/renderD129",
            "/dev/nvidia-caps/nvidia-cap1",
            "/dev/nvidia-caps/nvidia-cap66",
            "/dev/nvidia-caps/nvidia-cap67",
            "/dev/nvidia-caps/nvidia-cap75",
            "/dev/nvidia-caps/nvidia-cap76",
            "/dev/nvidia-caps-imex-channels/channel0",
            "/dev/nvidia-caps-imex-channels/channel10",
            "/dev/nvidia-fs0",
            "/dev/nvidia-nvswitchctl",
            "/dev/nvidia-nvswitch0",
            "/dev/gdrdrv",
            "/dev/infiniband/uverbs0",
            "/dev/infiniband/rdma_cm",
            "/dev/dxg",
        ]),
        capabilities: BTreeMap::from([(gi(7), 66), (ci(7), 67), (gi(8), 75), (ci(8), 76)]),
        files: driver_files(),
        storage: vec![file("/run/udev"), file("/etc/cufile.json")],
        null: true,
        ..HostSnapshot::default()
    }
}

fn driver_files() -> DriverFiles {
    DriverFiles {
        library_dirs: vec!["/usr/lib64".into()],
        libraries: vec![
            file("/usr/lib64/libcuda.so.550.163.01"),
            file("/usr/lib64/libnvidia-ml.so.550.163.01"),
        ],
        graphics: vec![file("/usr/lib64/libnvidia-egl-gbm.so.1.1.1")],
        modules: vec![
            file("/usr/lib64/xorg/modules/drivers/nvidia_drv.so"),
            file("/usr/lib64/xorg/modules/extensions/libglxserver_nvidia.so.550.163.01"),
        ],
        binaries: vec![file("/usr/bin/nvidia-smi")],
        configs: vec![file("/etc/vulkan/icd.d/nvidia_icd.json")],
        firmware: vec![file("/lib/firmware/nvidia/550.163.01/gsp_ga10x.bin")],
        sockets: vec![file("/run/nvidia-persistenced/socket")],
        links: vec![Link { target: "libcuda.so.550.163.01".into(), link: "/usr/lib64/libcuda.so.1".into() }],
    }
}

fn yaml(mode: Mode, snapshot: &HostSnapshot, choices: &Choices) -> String {
    let built = build(mode, snapshot, choices).expect("a spec");
    validate(&built.spec).expect("a valid spec");
    built.spec.render(Format::Yaml)
}

fn device_names(built: &Built) -> Vec<&str> {
    built.spec.devices.iter().map(|device| device.name.as_str()).collect()
}

#[test]
fn none_is_a_device_that_gives_the_drivers_files_alone() {
    let choices = Choices { only: vec![DeviceId::None], ..Choices::default() };
    for mode in [Mode::Nvml, Mode::Management, Mode::Imex] {
        let built = build(mode, &host(), &choices).expect("a spec");
        assert_eq!(device_names(&built), ["none"], "{mode}");
        assert_eq!(built.spec.devices[0].container_edits.env, ["NVCT_EMPTY_DEVICE="]);
        validate(&built.spec).expect("a valid spec");
    }
}

#[test]
fn a_gpu_that_was_asked_for_and_does_not_answer_is_told_with_what_to_do() {
    let mut snapshot = host();
    snapshot.inventory.faulty.push(Faulty { index: 2, reason: "the gpu is lost; reset it".into() });
    let choices = Choices { only: vec![DeviceId::Gpu(2)], ..Choices::default() };
    let error = build(Mode::Nvml, &snapshot, &choices).expect_err("no such gpu");
    assert_eq!(error.to_string(), "device \"2\" cannot be used: the gpu is lost; reset it");
}

#[test]
fn the_only_gpu_of_a_board_goes_by_its_index() {
    let path = PathBuf::from("/dev/nvidia0");
    let tegra = TegraFiles { nodes: vec![path], ..TegraFiles::default() };
    let snapshot = HostSnapshot { tegra, nodes: nodes(&["/dev/nvidia0"]), ..HostSnapshot::default() };
    let only = |id| build(Mode::Csv, &snapshot, &Choices { only: vec![id], ..Choices::default() });
    assert_eq!(device_names(&only(DeviceId::Gpu(0)).expect("a spec")), ["0", "all"]);
    let error = only(DeviceId::Gpu(7)).expect_err("no such gpu");
    assert_eq!(error.to_string(), "device \"7\" is not on this host; it has 0");
}

#[test]
fn a_channel_goes_by_its_number_and_by_the_name_of_its_node() {
    let only = |mode, id: &str| {
        let only = vec![id.parse().expect("an id")];
        build(mode, &host(), &Choices { only, ..Choices::default() })
    };
    for id in ["10", "channel10"] {
        assert_eq!(device_names(&only(Mode::Imex, id).expect("a spec")), ["10", "all"]);
    }
    let error = only(Mode::Imex, "channel7").expect_err("no such channel");
    assert_eq!(error.to_string(), "device \"channel7\" is not on this host; it has 0, 10");
    only(Mode::Nvml, "channel10").expect_err("no gpu");
}

#[test]
fn gpus_and_mig_devices() {
    insta::assert_snapshot!(yaml(Mode::Nvml, &host(), &Choices::default()));
}

#[test]
fn everything_that_can_be_asked_for_besides() {
    let mut snapshot = host();
    for facts in snapshot.nodes.values_mut() {
        facts.host =
            PathBuf::from("/run/nvidia/driver").join(facts.host.strip_prefix("/").expect("absolute"));
        facts.gid = 44;
        facts.mode = 0o660;
    }
    let choices = Choices {
        naming: vec![Naming::TypeIndex],
        node: Node { numbers: true, groups: true },
        mig_drm: true,
        coherent: true,
        all: false,
        ..Choices::default()
    };
    insta::assert_snapshot!(yaml(Mode::Nvml, &snapshot, &choices));
}

#[test]
fn other_families() {
    for mode in [Mode::Management, Mode::Imex, Mode::Gds, Mode::Mofed, Mode::Nvswitch, Mode::Gdrcopy] {
        insta::assert_snapshot!(mode.to_string(), yaml(mode, &host(), &Choices::default()));
    }
}

#[test]
fn a_linux_below_windows() {
    let wsl = WslFiles {
        files: vec![file("/usr/lib/wsl/lib/libdxcore.so"), file("/usr/lib/wsl/drivers/x/libcuda.so.1.1")],
        links: vec![Link {
            target: "/usr/lib/wsl/drivers/x/nvidia-smi".into(),
            link: "/usr/bin/nvidia-smi".into(),
        }],
    };
    insta::assert_snapshot!(yaml(Mode::Wsl, &HostSnapshot { wsl, ..host() }, &Choices::default()));
}

fn board(gpus: &[&str]) -> HostSnapshot {
    let gpus = (0..).zip(gpus).map(|(index, name)| Gpu { name: (*name).into(), ..gpu(index) }).collect();
    let listed = [
        "/dev/nvhost-gpu",
        "/dev/nvidia0",
        "/dev/nvidia1",
        "/dev/nvidia2",
        "/dev/nvidiactl",
        "/dev/dri/card0",
    ];
    let tegra = TegraFiles {
        nodes: listed.iter().map(PathBuf::from).collect(),
        folders: vec![file("/lib/firmware/tegra23x")],
        libraries: vec![file("/usr/lib/aarch64-linux-gnu/nvidia/libcuda.so.1.1")],
        link_targets: Vec::new(),
        links: vec![Link {
            target: "libcuda.so.1.1".into(),
            link: "/usr/lib/aarch64-linux-gnu/nvidia/libcuda.so".into(),
        }],
    };
    HostSnapshot {
        inventory: Inventory { gpus, faulty: Vec::new() },
        cuda_version: Some("12.6".into()),
        nodes: nodes(&listed).into_iter().chain(nodes(&["/dev/nvidia-uvm"])).collect(),
        tegra,
        ..HostSnapshot::default()
    }
}

#[test]
fn boards_with_one_gpu_and_with_two() {
    insta::assert_snapshot!("orin", yaml(Mode::Csv, &board(&["Orin (nvgpu)"]), &Choices::default()));
    let thor = board(&["NVIDIA Thor", "NVIDIA RTX PRO 6000"]);
    insta::assert_snapshot!("thor", yaml(Mode::Csv, &thor, &Choices::default()));
}

#[test]
fn a_device_that_lacks_a_node_is_left_out_and_named_and_the_others_stay() {
    for (missing, gone, said) in [
        ("/dev/nvidia0", "0", "gpu 0 has no /dev/nvidia0"),
        ("/dev/nvidia-caps/nvidia-cap66", "1:0", "mig device 1:0 needs /dev/nvidia-caps/nvidia-cap66"),
        ("/dev/nvidia-caps/nvidia-cap76", "1:1", "mig device 1:1 needs /dev/nvidia-caps/nvidia-cap76"),
    ] {
        let mut snapshot = host();
        snapshot.nodes.remove(&PathBuf::from(missing)).expect("a node");
        let built = build(Mode::Nvml, &snapshot, &Choices::default()).expect("a spec");
        let names = device_names(&built);
        assert!(!names.contains(&gone) && names.len() == 5, "{names:?}");
        let notes: Vec<_> = built.left_out.iter().map(|left| format!("{} {}", left.what, left.why)).collect();
        assert!(notes.iter().any(|note| note.starts_with(said)), "{notes:?}");
    }
}

#[test]
fn a_missing_control_node_is_said() {
    let mut snapshot = host();
    snapshot.nodes.remove(&PathBuf::from("/dev/nvidia-uvm"));
    let built = build(Mode::Nvml, &snapshot, &Choices::default()).expect("a spec");
    assert_eq!(built.left_out.first().expect("a note").what, "/dev/nvidia-uvm");
}

#[test]
fn without_a_device_there_is_no_spec_and_the_reason_is_said() {
    let empty = HostSnapshot::default();
    for (mode, why) in
        [(Mode::Nvml, "the driver counts no gpu"), (Mode::Gds, "mode gds found none of its device nodes")]
    {
        let error = build(mode, &empty, &Choices::default()).expect_err("nothing");
        assert_eq!(error.to_string(), format!("no device to describe: {why}; nothing is written"));
    }
    let mut parted = host();
    parted.inventory.gpus.remove(0);
    parted.inventory.gpus.iter_mut().for_each(|gpu| gpu.mig_devices.clear());
    let error = build(Mode::Nvml, &parted, &Choices::default()).expect_err("nothing");
    assert!(error.to_string().contains("mig mode"), "{error}");
    parted.inventory.faulty.push(Faulty { index: 0, reason: "is lost; reset it".into() });
    let error = build(Mode::Nvml, &parted, &Choices::default()).expect_err("nothing");
    assert!(error.to_string().contains("gpu 0 is lost; reset it"), "{error}");
}

#[test]
fn devices_are_chosen_by_any_id_and_an_unknown_one_is_named_beside_those_there() {
    for (id, names) in [
        ("0", vec!["0", &uuid("GPU", 0)]),
        ("1", vec!["1:0", "1:1", &uuid("MIG", 0), &uuid("MIG", 1)]),
        ("1:1", vec!["1:1", &uuid("MIG", 1)]),
        (&uuid("GPU", 0), vec!["0", &uuid("GPU", 0)]),
        (&uuid("MIG", 0), vec!["1:0", &uuid("MIG", 0)]),
    ] {
        let choices = Choices { only: vec![id.parse().expect("an id")], all: false, ..Choices::default() };
        let built = build(Mode::Nvml, &host(), &choices).expect("a spec");
        assert_eq!(device_names(&built), names, "{id}");
    }
    let choices = Choices { only: vec![DeviceId::Gpu(7)], ..Choices::default() };
    let error = build(Mode::Nvml, &host(), &choices).expect_err("no such gpu");
    assert_eq!(error.to_string(), "device \"7\" is not on this host; it has 0, 1:0, 1:1");
}

#[test]
fn coherent_gpus_have_specs_of_their_own() {
    let mut snapshot = host();
    snapshot.inventory.gpus = vec![gpu(0), gpu(1)];
    let choices = Choices { coherent: true, naming: vec![Naming::Index], ..Choices::default() };
    let spec = build(Mode::Nvml, &snapshot, &choices).expect("a spec").spec;
    for (wanted, kind, own) in
        [(Coherent::Yes, "nvidia.com/gpu.coherent", "0"), (Coherent::No, "nvidia.com/gpu.noncoherent", "1")]
    {
        let split = coherent(&spec, wanted).expect("a class").expect("some gpus");
        validate(&split).expect("a valid spec");
        let names: Vec<_> = split.devices.iter().map(|device| device.name.as_str()).collect();
        assert_eq!((split.kind.to_string().as_str(), names), (kind, vec![own, "all"]));
    }
}

#[test]
fn vendor_and_class_are_checked() {
    let choices = Choices { class: Some("g pu".into()), ..Choices::default() };
    let error = build(Mode::Nvml, &host(), &choices).expect_err("no class");
    assert!(matches!(error, BuildError::Kind(_)), "{error}");
}

proptest! {
    /// Whatever nodes are missing: what is emitted is valid, and every node in it was observed.
    #[test]
    fn only_what_was_seen_is_emitted(kept in prop::collection::vec(any::<bool>(), 24)) {
        let mut snapshot = host();
        let mut kept = kept.into_iter();
        snapshot.nodes.retain(|_, _| kept.next().unwrap_or(false));
        for mode in [Mode::Nvml, Mode::Management, Mode::Imex, Mode::Gds] {
            let Ok(built) = build(mode, &snapshot, &Choices::default()) else { continue };
            prop_assert!(validate(&built.spec).is_ok());
            for node in built.spec.all_edits().flat_map(|edits| &edits.device_nodes) {
                prop_assert!(snapshot.nodes.contains_key(&PathBuf::from(&node.path)));
            }
        }
    }

    /// The order in which GPUs were met changes nothing.
    #[test]
    fn equal_hosts_give_equal_bytes(reversed: bool) {
        let mut snapshot = host();
        if reversed {
            snapshot.inventory.gpus.reverse();
        }
        let mut other = build(Mode::Nvml, &snapshot, &Choices::default()).expect("a spec").spec;
        let mut own = build(Mode::Nvml, &host(), &Choices::default()).expect("a spec").spec;
        // The hook's links follow the GPUs; compare without it.
        other.container_edits.hooks.clear();
        own.container_edits.hooks.clear();
        prop_assert_eq!(other.render(Format::Yaml), own.render(Format::Yaml));
    }
}

#[test]
fn every_mode_keeps_the_legacy_hook_away_in_both_ways() {
    for mode in ["nvml", "management", "imex", "gds", "mofed", "nvswitch", "gdrcopy"] {
        for null in [true, false] {
            let snapshot = HostSnapshot { null, ..host() };
            let mode = mode.parse().expect("a mode");
            let common = build(mode, &snapshot, &Choices::default()).expect("a spec").spec.container_edits;
            assert!(common.env.iter().any(|variable| variable == "NVIDIA_VISIBLE_DEVICES=void"));
            let void = |mount: &crate::spec::Mount| mount.container_path.ends_with("devices/void");
            assert_eq!(common.mounts.iter().any(void), null, "{mode}");
        }
    }
}
