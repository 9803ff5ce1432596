//! Clients of two kinds on one node.

use std::{
    io::{BufRead, BufReader, Read},
    process::Stdio,
};

use berth_fake_nvml::state::EventKind;

use crate::{common::Node, python::WAITER};

/// What a waiting Python program tells after `happen` has happened.
fn waits_for(node: &Node, happen: impl FnOnce(&Node)) -> String {
    let mut waiter = node.python(WAITER).stdout(Stdio::piped()).spawn().expect("python3 runs");
    let mut output = BufReader::new(waiter.stdout.take().expect("a pipe"));
    let mut line = String::new();
    output.read_line(&mut line).expect("a line");
    assert_eq!(line, "listening\n");
    happen(node);
    line.clear();
    output.read_to_string(&mut line).expect("the rest");
    assert!(waiter.wait().expect("an end").success(), "{line}");
    line
}

#[test]
fn a_mig_change_by_nvidia_smi_wakes_a_python_program() {
    let node = Node::new("h200-141gb", 2);
    let told = waits_for(&node, |node| drop(node.smi_prints(&["-i", "1", "-mig", "1"])));
    assert_eq!(told, "256 0 True 1\n");
}

#[test]
fn an_xid_wakes_a_python_program() {
    let node = Node::new("h200-141gb", 2);
    let raise = |node: &Node| node.store.edit(|state| state.raise(1, EventKind::Xid(94))).expect("an event");
    assert_eq!(waits_for(&node, raise), "8 94 True 1\n");
}
