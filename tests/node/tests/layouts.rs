//! Each layout's tree has the files that nodes of its kind have.
#![expect(clippy::tests_outside_test_module, reason = "an integration test is a test module")]

use berth_node::{
    driver::stand_in,
    layout::Layout,
    machine::{self, Feature, Machine},
    plan::{self, DriverFiles},
    procfs::KernelDevices,
};

/// The listing of a layout's whole tree with one H200 and all features.
fn listing(layout: Layout) -> String {
    let version = "550.163.01".parse().expect("a version");
    let gpus = machine::place(&machine::parse_gpus("h200").expect("a board"), &[]).expect("a slot");
    let mut machine = Machine::new(layout, version, gpus);
    machine.features = Feature::ALL.iter().map(|(feature, _)| *feature).collect();
    let mut files = stand_in::files(&machine.userland);
    files.extend(stand_in::compat32(&machine.userland));
    let driver = DriverFiles { version: machine.userland.clone(), files, nvml: Some("/nvml.so".into()) };
    let mut tree = plan::skeleton();
    tree.merge(plan::userland(&machine, &driver, None));
    tree.merge(plan::running(&machine, &KernelDevices::default()));
    tree.to_string()
}

#[test]
fn every_layout_lists_what_such_a_node_has() {
    for (layout, name) in Layout::ALL {
        insta::assert_snapshot!(name, listing(layout));
    }
}
