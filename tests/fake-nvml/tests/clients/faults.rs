//! What `nvidia-smi` says of what is wrong.

use berth_fake_nvml::state::{Faults, GpuFault};

use crate::common::Node;

#[test]
fn faults_of_the_driver_are_named() {
    let node = Node::new("t4", 1);
    let set = |faults: Faults| node.store.edit(|state| state.faults = faults).expect("a fault");
    set(Faults { driver_not_loaded: true, ..Faults::default() });
    let said = node.smi(&["-L"]);
    assert!(
        said.code == Some(9) && said.out.contains("couldn't communicate with the NVIDIA driver"),
        "{said:?}"
    );
    set(Faults { version_mismatch: true, ..Faults::default() });
    let said = node.smi(&["-L"]);
    assert!(said.code == Some(18) && said.out.contains("Driver/library version mismatch"), "{said:?}");
    set(Faults::default());
    node.smi_prints(&["-L"]);
}

#[test]
fn a_library_of_another_version_is_found_out() {
    let node = Node::new("t4", 1);
    node.store.edit(|state| state.driver.version = "535.261.03".into()).expect("another driver");
    let table = node.smi(&[]);
    assert!(table.out.contains("535.261.03"), "{table:?}");
}

#[test]
fn one_gpu_that_fell_off_the_bus_leaves_the_other() {
    let node = Node::new("h200-141gb", 2);
    node.store.edit(|state| state.gpus[0].fault = GpuFault::FallenOff).expect("a fault");
    let list = node.smi(&["-L"]);
    assert!(list.out.contains("GPU is lost"), "{list:?}");
    assert!(list.out.contains("GPU 1: NVIDIA H200"), "{list:?}");
    node.store.edit(|state| state.gpus[0].fault = GpuFault::Removed).expect("a fault");
    assert_eq!(node.smi_prints(&["-L"]).lines().count(), 1);
}
