//! What `nvidia-smi` lists, as snapshots for a few products.

use berth_fake_nvml::profiles::PRODUCTS as PRODUCT_KEYS;

use crate::common::{Node, stable};

/// Product, and instances to be made on it: a GPU profile, then a compute profile in place of the whole one.
const PRODUCTS: [(&str, &str, &str); 3] = [
    ("a100-sxm4-40gb", "9,19,19", "1"),
    ("h200-141gb", "9,14", "0"),
    ("rtx-pro-6000-blackwell-server", "14,14", "0"),
];

/// A node of two boards in MIG mode.
fn divided(product: &str) -> Node {
    let node = Node::new(product, 2);
    node.smi_prints(&["-mig", "1"]);
    node.store.edit(|state| [0, 1].into_iter().for_each(|minor| state.reset(minor))).expect("a reset");
    node
}

#[test]
fn gpus_and_mig_devices_are_listed() {
    for (product, profiles, _) in PRODUCTS {
        let node = divided(product);
        node.smi_prints(&["mig", "-i", "0", "-cgi", profiles, "-C"]);
        stable().bind(|| insta::assert_snapshot!(format!("{product}-L"), node.smi_prints(&["-L"])));
    }
}

#[test]
fn profiles_and_their_places_are_listed() {
    for (product, profiles, _) in PRODUCTS {
        let node = divided(product);
        node.smi_prints(&["mig", "-i", "0", "-cgi", profiles]);
        let listed = ["-lgip", "-lgipp", "-lgi"].map(|list| node.smi_prints(&["mig", "-i", "0", list]));
        stable().bind(|| insta::assert_snapshot!(format!("{product}-instances"), listed.concat()));
    }
}

#[test]
fn compute_profiles_and_their_places_are_listed() {
    for (product, profiles, compute) in PRODUCTS {
        let node = divided(product);
        let first = profiles.split(',').next().expect("a profile");
        let made = node.smi_prints(&["mig", "-i", "1", "-cgi", first]);
        assert!(made.starts_with("Successfully created GPU instance ID"), "{made}");
        let instance = made.split_whitespace().nth(5).expect("an id");
        node.smi_prints(&["mig", "-i", "1", "-gi", instance, "-cci", compute]);
        let listed = ["-lcip", "-lcipp", "-lci"].map(|list| node.smi_prints(&["mig", "-i", "1", list]));
        stable().bind(|| insta::assert_snapshot!(format!("{product}-compute"), listed.concat()));
    }
}

#[test]
fn the_table_shows_gpus_and_mig_devices() {
    for (product, profiles, _) in PRODUCTS {
        let node = divided(product);
        node.smi_prints(&["mig", "-i", "0", "-cgi", profiles, "-C"]);
        stable().bind(|| insta::assert_snapshot!(format!("{product}-table"), node.smi_prints(&[])));
    }
}

#[test]
fn the_long_report_tells_what_the_board_has() {
    for product in ["h200-141gb", "t4", "gb200"] {
        let report = Node::new(product, 1).smi_prints(&["-q"]);
        assert!(!report.contains("Function Not Found") && !report.contains("ERR!"), "{report}");
        stable().bind(|| insta::assert_snapshot!(format!("{product}-report"), report));
    }
}

#[test]
fn every_product_is_reported_as_text_and_as_xml() {
    for key in PRODUCT_KEYS {
        let node = Node::new(key, 1);
        let name = node.store.read().expect("a state").products[*key].name.clone();
        for arguments in [&["-q"][..], &["-q", "-x"], &[], &["-L"]] {
            let report = node.smi_prints(arguments);
            assert!(report.contains(&name) || arguments.is_empty(), "{key}: {report}");
            for fault in ["Function Not Found", "ERR!", "Unknown Error", "GPU is lost"] {
                assert!(!report.contains(fault), "{key} {arguments:?}: {report}");
            }
        }
        let xml = node.smi_prints(&["-q", "-x"]);
        assert!(xml.trim_end().ends_with("</nvidia_smi_log>"), "{xml}");
    }
}
