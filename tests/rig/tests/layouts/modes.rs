//! Which mode fits which machine, when none is asked for.

use berth_fake_nvml::state::GpuFault;
use berth_node::change;

use super::*;

/// The mode that `auto` becomes.
fn mode(simulated: &Simulated) -> String {
    let ran = simulated.generate(&["--debug"]);
    let line = ran.err.lines().find_map(|line| line.strip_prefix("debug: mode "));
    line.expect("a mode").to_owned()
}

#[test]
fn each_layout_has_its_mode() {
    for (layout, _) in Layout::ALL {
        let wanted = match layout {
            Layout::TegraOrin | Layout::TegraThor => "csv",
            Layout::Wsl => "wsl",
            Layout::Debian
            | Layout::Rpm
            | Layout::SplitRoots
            | Layout::DriverContainer
            | Layout::LdcacheOnly => "nvml",
        };
        assert_eq!(mode(&Simulated::new(layout, "2xl4", |_| {})), wanted, "{layout}");
    }
}

#[test]
fn a_board_is_described_by_nvml_when_all_its_gpus_are_discrete_and_answer() {
    let mut simulated = Simulated::new(Layout::TegraThor, "3xl4", |_| {});
    simulated.node.edit(|state| state.gpus[0].fault = GpuFault::Lost).expect("a fault");
    assert_eq!(mode(&simulated), "csv");
    change::remove(&mut simulated.node, 0).expect("no integrated gpu");
    assert_eq!(mode(&simulated), "nvml");
}
