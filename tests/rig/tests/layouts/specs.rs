//! The whole spec of each layout and each mode, to be read.

use super::*;

#[test]
fn each_layout_has_its_spec() {
    for (layout, name) in Layout::ALL {
        let boards = if layout == Layout::TegraThor { "2xl4" } else { "2xl40s" };
        let ran = Simulated::full(layout, boards).generate(&[]);
        assert_eq!(ran.code, 0, "{name}: {}", ran.err);
        insta::assert_snapshot!(name, format!("{}{}", ran.out, said(&ran)));
    }
}

#[test]
fn each_mode_has_its_spec() {
    let simulated = Simulated::full(Layout::Debian, "2xh200");
    for mode in ["management", "imex", "gds", "mofed", "nvswitch", "gdrcopy"] {
        let ran = simulated.generate(&["--mode", mode]);
        assert_eq!(ran.code, 0, "{mode}: {}", ran.err);
        insta::assert_snapshot!(format!("mode-{mode}"), format!("{}{}", ran.out, said(&ran)));
    }
}

/// What stood on standard error, as comments below the spec.
fn said(ran: &Ran) -> String {
    ran.err.lines().map(|line| format!("# {line}\n")).collect()
}
