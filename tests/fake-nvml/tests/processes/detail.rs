//! What profiles and MIG devices answer, in the forms that programs ask for.

use berth_fake_nvml::state::{GpuConfig, NodeConfig};

use crate::common::Node;

fn node(product: &str) -> Node {
    let gpu = GpuConfig { product: product.into(), mig: true, ..GpuConfig::default() };
    Node::new(&NodeConfig { gpus: vec![gpu], ..NodeConfig::uniform("t4", 0) })
}

#[test]
fn profiles_answer_in_the_form_that_was_asked_for_and_only_gfx_may_do_graphics() {
    let node = node("rtx-pro-6000-blackwell-server");
    let mut client = node.client();
    assert_eq!(client.ask("init"), "ok");
    let (plain, graphics, absent, past_the_last) = (0, 10, 2, 18);
    assert_eq!(client.ask(&format!("profile 0 {plain} 2")), "ok 14 24192 0 MIG 1g.24gb");
    assert_eq!(client.ask(&format!("profile 0 {plain} 3")), "ok 14 24192 0 MIG 1g.24gb");
    assert_eq!(client.ask(&format!("profile 0 {graphics} 3")), "ok 47 24192 2 MIG 1g.24gb+gfx");
    assert_eq!(client.ask(&format!("profile 0 {plain} 9")), "error 25");
    assert_eq!(client.ask(&format!("profile 0 {absent} 3")), "error 3");
    assert_eq!(client.ask(&format!("profile 0 {past_the_last} 3")), "error 2");
}

#[test]
fn a_mig_device_has_its_share_of_the_board() {
    let node = node("h100-sxm-80gb");
    let mut client = node.client();
    assert_eq!(client.ask("init"), "ok");
    for line in ["create 0 9", "create-compute 0 1 0", "create 0 19", "create-compute 0 7 0"] {
        assert!(client.ask(line).starts_with("ok"), "{line}");
    }
    // A third of a 3g.40gb, then a whole 1g.10gb.
    assert_eq!(client.ask("attributes 0 0"), "ok 16 40448 3 1 65535");
    assert_eq!(client.ask("attributes 0 1"), "ok 16 9984 1 1 16383");
    assert_eq!(client.ask("attributes 0 2"), "error 6");
}
