//! Berth beside NVIDIA's container toolkit on every layout and mode: what differs has a reason, and the document
//! tells all of it.

#![expect(clippy::disallowed_methods, reason = "reads a document")]

use std::{fs, path::Path};

use berth_node::driver::nvml_library::{beside_program, dxcore_beside_program};
use berth_packages::{Cache, peer};
use berth_rig::side_by_side::{
    CASES, Programs, REAL, Section, break_all, compare_all, document, reason, reasons,
};

fn programs() -> Programs {
    Programs {
        berth_cdi: env!("CARGO_BIN_EXE_berth-rig-command").into(),
        nvidia_ctk: peer(&Cache::of_user()).expect("NVIDIA's toolkit").ctk,
        nvml: beside_program().expect("the simulated NVML"),
        dxcore: dxcore_beside_program().expect("the simulated library of adapters"),
    }
}

/// The reasons of all differences: there is one for each.
fn explained(sections: &[Section]) -> Vec<&'static str> {
    for section in sections {
        let found = section.found.as_ref().expect(&section.name);
        let unexplained: Vec<_> = found.iter().filter(|difference| reason(difference).is_none()).collect();
        assert!(unexplained.is_empty(), "{}: {unexplained:#?}", section.name);
        assert!(section.shared > 0, "{}", section.name);
    }
    let differences = sections.iter().filter_map(|section| section.found.as_ref().ok()).flatten();
    differences.filter_map(reason).collect()
}

#[test]
fn every_difference_from_nvidias_spec_has_a_reason_and_is_told() {
    let sections = compare_all(&CASES, &programs());
    let used = explained(&sections);
    let idle: Vec<&str> = reasons().into_iter().filter(|why| !used.contains(why)).collect();
    assert!(idle.is_empty(), "reasons of nothing: {idle:#?}");
    let told = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/peer-comparison.md");
    let told = fs::read_to_string(told).expect("the document");
    let broken = break_all(&programs()).expect("outcomes");
    let now = document(&sections, &broken, peer(&Cache::of_user()).expect("NVIDIA's toolkit").version);
    assert!(told == now, "make docs/peer-comparison.md anew: berth-rig compare > docs/peer-comparison.md");
}

#[test]
fn specs_of_nvidias_own_files_differ_for_the_same_reasons() {
    explained(&compare_all(&REAL, &programs()));
}
