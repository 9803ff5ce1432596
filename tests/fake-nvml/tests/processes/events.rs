//! Events between processes: one lets something happen, another sleeps until it does.
#![expect(clippy::disallowed_methods, reason = "how long a client slept is measured")]

use std::time::{Duration, Instant};

use berth_fake_nvml::state::{EventKind, GpuFault, NodeConfig};

use crate::common::{Client, Node};

/// XID, memory errors and MIG changes.
const KINDS: &str = "267";
/// No test waits this long: a client that does has missed its event.
const LONG: &str = "60000";

/// A client that sleeps in a wait for events of the first GPU.
fn sleeper(node: &Node) -> (Client, String) {
    let mut client = node.client();
    assert_eq!(client.ask("init"), "ok");
    let set = client.ask(&format!("listen 0 {KINDS}"));
    let set = set.strip_prefix("ok ").expect("an event set").to_owned();
    client.send(&format!("wait {set} {LONG}"));
    (client, set)
}

fn node(product: &str) -> Node {
    Node::new(&NodeConfig::uniform(product, 2))
}

#[test]
fn an_xid_wakes_a_process_that_waits() {
    let node = node("h200-141gb");
    let (mut client, set) = sleeper(&node);
    let start = Instant::now();
    node.store.edit(|state| state.raise(0, EventKind::Xid(31))).expect("an event");
    assert_eq!(client.receive(), "ok 0 0x8 31");
    assert!(start.elapsed() < Duration::from_secs(10), "it slept on");
    assert_eq!(client.ask(&format!("wait {set} 0")), "error 10", "an event is told once");
}

#[test]
fn an_xid_in_a_mig_device_names_its_instances() {
    let node = node("h200-141gb");
    let (mut client, _) = sleeper(&node);
    node.store.edit(|state| state.raise_in(0, (7, 0), EventKind::Xid(94))).expect("an event");
    assert_eq!(client.receive(), "ok 0 0x8 94 7 0");
}

#[test]
fn a_mig_change_by_another_process_is_an_event() {
    let node = node("h200-141gb");
    let (mut client, set) = sleeper(&node);
    let mut other = node.client();
    assert_eq!((other.ask("init"), other.ask("mig 0 1")), ("ok".into(), "ok 0".into()));
    assert_eq!(client.receive(), "ok 0 0x100 0");
    assert!(other.ask("create 0 9").starts_with("ok"));
    assert_eq!(client.ask(&format!("wait {set} {LONG}")), "ok 0 0x100 0");
}

#[test]
fn memory_errors_are_events_and_an_uncorrected_one_is_an_xid_too() {
    let node = node("a100-sxm4-40gb");
    let (mut client, set) = sleeper(&node);
    let count = |corrected, uncorrected| {
        let errors = move |state: &mut berth_fake_nvml::state::State| {
            state.gpus[0].telemetry.ecc_errors.dram.volatile_corrected += corrected;
            state.gpus[0].telemetry.ecc_errors.dram.volatile_uncorrected += uncorrected;
        };
        node.store.edit(errors).expect("errors");
    };
    count(3, 0);
    assert_eq!(client.receive(), "ok 0 0x1 0");
    count(0, 1);
    let told = [(); 2].map(|()| client.ask(&format!("wait {set} {LONG}")));
    assert_eq!(told, ["ok 0 0x2 0", "ok 0 0x8 48"]);
}

#[test]
fn a_gpu_that_falls_off_the_bus_during_a_wait_says_so_and_then_is_lost() {
    let node = node("h200-141gb");
    let (mut client, set) = sleeper(&node);
    node.store.edit(|state| state.gpus[0].fault = GpuFault::FallenOff).expect("a fault");
    assert_eq!(client.receive(), "ok lost 0x8 79");
    assert_eq!(client.ask(&format!("wait {set} {LONG}")), "error 15");
}

#[test]
fn a_gpu_that_is_pulled_out_ends_the_wait() {
    let node = node("t4");
    let mut client = node.client();
    assert_eq!(client.ask("init"), "ok");
    assert_eq!(client.ask("listen 0 8"), "ok 1");
    client.send(&format!("wait 1 {LONG}"));
    node.store.edit(|state| state.gpus[0].fault = GpuFault::Removed).expect("a fault");
    assert_eq!(client.receive(), "error 15");
}

#[test]
fn a_driver_that_is_unloaded_ends_the_wait() {
    let node = node("t4");
    let mut client = node.client();
    assert_eq!((client.ask("init"), client.ask("listen 0 8")), ("ok".into(), "ok 1".into()));
    client.send(&format!("wait 1 {LONG}"));
    node.store.edit(|state| state.faults.driver_not_loaded = true).expect("a fault");
    assert_eq!(client.receive(), "error 9");
}

#[test]
fn the_other_gpus_events_and_other_kinds_wake_nobody() {
    let node = node("h200-141gb");
    let mut client = node.client();
    assert_eq!((client.ask("init"), client.ask("listen 0 8")), ("ok".into(), "ok 1".into()));
    let start = Instant::now();
    client.send("wait 1 300");
    node.store.edit(|state| state.raise(1, EventKind::Xid(79))).expect("an event");
    node.store.edit(|state| state.raise(0, EventKind::Clock)).expect("an event");
    assert_eq!(client.receive(), "error 10");
    assert!(start.elapsed() >= Duration::from_millis(300), "the timeout is kept");
    // Sets are a process's own: another process has none.
    let mut other = node.client();
    assert_eq!((other.ask("init"), other.ask("wait 1 0")), ("ok".into(), "error 2".into()));
    assert_eq!((client.ask("unlisten 1"), client.ask("wait 1 0")), ("ok".into(), "error 2".into()));
}

#[test]
fn a_board_tells_only_of_what_it_has() {
    for (product, kinds) in [("h200-141gb", "ok 0x11f"), ("t4", "ok 0x1f"), ("rtx-4090", "ok 0x1f")] {
        let node = Node::new(&NodeConfig::uniform(product, 1));
        let mut client = node.client();
        assert_eq!(client.ask("init"), "ok");
        assert_eq!(client.ask("event-kinds 0"), kinds, "{product}");
        assert_eq!(client.ask("listen 0 256").starts_with("ok"), product == "h200-141gb", "{product}");
    }
}

#[test]
fn a_slow_driver_is_slow_to_wait_too() {
    let node = node("t4");
    let slow = [("nvmlEventSetWait_v2".to_owned(), 200)].into();
    let mut client = node.client();
    assert_eq!((client.ask("init"), client.ask("listen 0 8")), ("ok".into(), "ok 1".into()));
    node.store.edit(|state| state.faults.slow_functions = slow).expect("a fault");
    let start = Instant::now();
    assert_eq!(client.ask("wait 1 0"), "error 10");
    assert!(start.elapsed() >= Duration::from_millis(200), "it was quick");
}
