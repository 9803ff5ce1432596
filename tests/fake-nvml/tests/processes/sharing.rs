//! Several processes with the library open: what one changes the others see.
#![expect(clippy::disallowed_methods, reason = "a library is written")]

use std::fs;

use berth_fake_nvml::{
    state::{GpuConfig, GpuFault, NodeConfig, Store},
    symbols::hide_symbols,
};

use crate::common::{Client, Node, built};

#[test]
fn an_instance_made_by_one_process_is_seen_by_another_and_gone_when_a_third_unmakes_it() {
    let node = Node::new(&NodeConfig::uniform("h100-sxm-80gb", 2));
    let (mut one, mut two, mut three) = (node.client(), node.client(), node.client());
    for client in [&mut one, &mut two, &mut three] {
        assert_eq!(client.ask("init"), "ok");
        assert_eq!(client.ask("devices 1"), "ok");
    }
    assert_eq!(one.ask("mig 1 1"), "ok 0");
    assert_eq!(two.ask("mig-mode 1"), "ok 1 1");
    assert_eq!(one.ask("create 1 9"), "ok 1 4 4");
    assert_eq!(two.ask("room 1 9"), "ok 1");
    assert_eq!(two.ask("create-compute 1 1 2"), "ok");
    let seen = three.ask("devices 1");
    assert!(seen.starts_with("ok MIG-"), "{seen}");
    assert_eq!(one.ask("devices 1"), seen);
    let uuid = seen.trim_start_matches("ok ");
    assert_eq!(one.ask(&format!("find {uuid}")), "ok NVIDIA H100 80GB HBM3 MIG 3g.40gb");

    assert_eq!(three.ask("destroy 1 1"), "error 19");
    assert_eq!(three.ask("destroy-compute 1 1 0"), "ok");
    assert_eq!(three.ask("destroy 1 1"), "ok");
    assert_eq!(one.ask("devices 1"), "ok");
    assert_eq!(one.ask(&format!("find {uuid}")), "error 6");
    assert_eq!(two.ask("room 1 9"), "ok 2");
}

#[test]
fn modes_set_in_one_process_hold_in_another() {
    let node = Node::new(&NodeConfig::uniform("l40s", 1));
    let (mut one, mut two) = (node.client(), node.client());
    assert_eq!((one.ask("init"), two.ask("init")), ("ok".into(), "ok".into()));
    assert_eq!(one.ask("persistence 0"), "ok 0");
    assert_eq!(two.ask("set-persistence 0 1"), "ok");
    assert_eq!(one.ask("persistence 0"), "ok 1");
    assert_eq!(one.ask("mig 0 1"), "error 3");
}

#[test]
fn mig_on_ampere_waits_for_the_reset() {
    let node = Node::new(&NodeConfig::uniform("a100-sxm4-40gb", 1));
    let mut client = node.client();
    assert_eq!(client.ask("init"), "ok");
    assert_eq!(client.ask("mig 0 1"), "ok 16");
    assert_eq!(client.ask("mig-mode 0"), "ok 0 1");
    assert_eq!(client.ask("create 0 19"), "error 3");
    node.store.edit(|state| state.reset(0)).expect("a reset");
    assert_eq!(client.ask("mig-mode 0"), "ok 1 1");
    assert_eq!(client.ask("create 0 14"), "ok 3 4 2");
    assert_eq!(client.ask("create 0 19"), "ok 7 6 1");
}

#[test]
fn many_processes_share_out_the_slices_and_none_is_given_twice() {
    let config = GpuConfig { product: "h200-141gb".into(), mig: true, ..GpuConfig::default() };
    let node = Node::new(&NodeConfig { gpus: vec![config], ..NodeConfig::uniform("t4", 0) });
    let mut clients: Vec<Client> = (0..9).map(|_| node.client()).collect();
    clients.iter_mut().for_each(|client| client.send("init\ncreate 0 19"));
    let answers: Vec<String> =
        clients.iter_mut().map(|client| (client.receive(), client.receive()).1).collect();
    let mut made: Vec<&str> = answers.iter().filter_map(|answer| answer.strip_prefix("ok ")).collect();
    made.sort_unstable();
    made.dedup();
    assert_eq!(made.len(), 7, "{answers:?}");
    assert_eq!(answers.iter().filter(|answer| *answer == "error 23").count(), 2, "{answers:?}");
}

#[test]
fn a_fault_meets_processes_that_were_there_before() {
    let node = Node::new(&NodeConfig::uniform("h200-141gb", 3));
    let mut client = node.client();
    assert_eq!(client.ask("init"), "ok");
    let fault = |fault| move |state: &mut berth_fake_nvml::state::State| state.gpus[1].fault = fault;
    let set = |store: &Store, wanted| store.edit(fault(wanted)).expect("a fault");

    set(&node.store, GpuFault::Lost);
    assert_eq!((client.ask("name 1"), client.ask("count")), ("error 15".into(), "ok 3".into()));
    assert_eq!(client.ask("name 2"), "ok NVIDIA H200");
    set(&node.store, GpuFault::FallenOff);
    assert_eq!((client.ask("uuid 1"), client.ask("count")), ("error 15".into(), "ok 3".into()));
    set(&node.store, GpuFault::Removed);
    assert_eq!((client.ask("name 2"), client.ask("count")), ("error 2".into(), "ok 2".into()));
    set(&node.store, GpuFault::ResetRequired);
    assert_eq!((client.ask("name 1"), client.ask("mig 1 1")), ("ok NVIDIA H200".into(), "error 16".into()));

    node.store.edit(|state| state.faults.driver_not_loaded = true).expect("a fault");
    assert_eq!((client.ask("count"), node.client().ask("init")), ("error 9".into(), "error 9".into()));
    node.store.edit(|state| state.faults.driver_not_loaded = false).expect("a repair");
    node.store.edit(|state| state.faults.version_mismatch = true).expect("a fault");
    assert_eq!(node.client().ask("init"), "error 18");
    node.store.edit(|state| state.faults = Default::default()).expect("a repair");
    let name_fails = |state: &mut berth_fake_nvml::state::State| {
        state.faults.functions.insert("nvmlDeviceGetName".into(), 999);
    };
    node.store.edit(name_fails).expect("a fault");
    assert_eq!((client.ask("name 0"), client.ask("count")), ("error 999".into(), "ok 3".into()));
}

#[test]
fn an_older_drivers_library_lacks_what_was_hidden_and_works_otherwise() {
    let node = Node::new(&NodeConfig::uniform("t4", 1));
    let hidden = ["nvmlDeviceGetPersistenceMode", "nvmlDeviceGetMaxMigDeviceCount"];
    let library = fs::read(built()).expect("a library");
    fs::write(node.library(), hide_symbols(&library, &hidden).expect("hidden")).expect("a library");
    let mut client = node.client();
    assert_eq!(client.ask("init"), "ok");
    assert_eq!(client.ask("name 0"), "ok Tesla T4");
    assert_eq!(client.ask("persistence 0"), "error missing");
    assert_eq!(client.ask("devices 0"), "error missing");
}

#[test]
fn outside_of_a_session_nothing_is_answered() {
    let node = Node::new(&NodeConfig::uniform("t4", 1));
    let mut client = node.client();
    assert_eq!(client.ask("count"), "error 1");
    for line in ["init", "init", "shutdown", "count"] {
        assert!(client.ask(line).starts_with("ok"), "{line}");
    }
    assert_eq!(client.ask("shutdown"), "ok");
    assert_eq!(client.ask("count"), "error 1");
    assert_eq!(client.ask("shutdown"), "error 1");
}

#[test]
fn sixteen_gpus_hold_seven_mig_devices_each_and_every_one_is_found_by_its_uuid() {
    let gpu = GpuConfig { product: "b200".into(), mig: true, ..GpuConfig::default() };
    let node = Node::new(&NodeConfig { gpus: vec![gpu; 16], ..NodeConfig::uniform("t4", 0) });
    let (mut maker, mut finder) = (node.client(), node.client());
    assert_eq!((maker.ask("init"), finder.ask("init")), ("ok".into(), "ok".into()));
    let mut uuids = std::collections::BTreeSet::new();
    for gpu in 0..16 {
        for _instance in 0..7 {
            let made = maker.ask(&format!("create {gpu} 19"));
            let id = made.split_whitespace().nth(1).expect("an id");
            assert_eq!(maker.ask(&format!("create-compute {gpu} {id} 0")), "ok");
        }
        let devices = finder.ask(&format!("devices {gpu}"));
        uuids.extend(devices.split_whitespace().skip(1).map(str::to_owned));
    }
    assert_eq!(uuids.len(), 112);
    for uuid in uuids {
        assert_eq!(finder.ask(&format!("find {uuid}")), "ok NVIDIA B200 MIG 1g.23gb");
    }
}

#[test]
fn a_gpu_that_is_plugged_in_takes_its_place_by_address_and_keeps_out_of_the_others_minors() {
    let at = |product: &str, pci: &str| GpuConfig {
        product: product.into(),
        pci: Some(pci.parse().expect("an address")),
        ..GpuConfig::default()
    };
    let gpus = vec![at("t4", "0000:3b:00.0"), at("l4", "0000:af:00.0")];
    let node = Node::new(&NodeConfig { gpus, ..NodeConfig::uniform("t4", 0) });
    let mut client = node.client();
    assert_eq!((client.ask("init"), client.ask("name 1")), ("ok".into(), "ok NVIDIA L4".into()));
    node.store.update(|state| state.add(&at("l40s", "0000:5e:00.0"))).expect("room for one more");
    assert_eq!(client.ask("count"), "ok 3");
    assert_eq!(
        (client.ask("name 1"), client.ask("name 2")),
        ("ok NVIDIA L40S".into(), "ok NVIDIA L4".into())
    );
    assert_eq!(node.store.read().expect("a state").gpus[1].minor, 2);
}
