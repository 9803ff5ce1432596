//! Events that follow from a change of the state, as the driver would tell them.

use super::{EventKind, Gpu, GpuFault, State};

/// Adds to `after` the events of what changed since `before`.
pub(super) fn follow(before: &State, after: &mut State) {
    let told = before.events.count;
    let pairs = after.gpus.iter().filter_map(|gpu| Some((before.gpu(gpu.minor)?, gpu)));
    let events: Vec<_> = pairs
        .flat_map(|(old, new)| changes(old, new).into_iter().map(|kind| (new.minor, kind)))
        .filter(|(minor, kind)| {
            !after.events.since(told).any(|event| event.minor == *minor && event.kind == *kind)
        })
        .collect();
    for (minor, kind) in events {
        after.events.push(minor, kind, None);
    }
}

fn changes(old: &Gpu, new: &Gpu) -> Vec<EventKind> {
    let (was, is) = (&old.telemetry, &new.telemetry);
    let rose = |of: fn(&Gpu) -> u64| of(new) > of(old);
    let happened = [
        (rose(|gpu| gpu.telemetry.ecc_errors.corrected()), EventKind::SingleBitEcc),
        (rose(|gpu| gpu.telemetry.ecc_errors.uncorrected()), EventKind::DoubleBitEcc),
        (rose(|gpu| gpu.telemetry.ecc_errors.uncorrected()), EventKind::Xid(48)),
        (is.remapped_rows.pending && !was.remapped_rows.pending, EventKind::DramRetirement),
        (is.remapped_rows.failure && !was.remapped_rows.failure, EventKind::DramRetirementFailure),
        (is.performance_state != was.performance_state, EventKind::PerformanceState(is.performance_state)),
        (is.application_clocks != was.application_clocks, EventKind::Clock),
        (new.mig != old.mig, EventKind::MigConfig),
        (is_gone(new.fault) && !is_gone(old.fault), EventKind::Xid(79)),
        (new.fault == GpuFault::ResetRequired && old.fault != new.fault, EventKind::RecoveryAction),
    ];
    happened.into_iter().filter(|(happened, _)| *happened).map(|(_, kind)| kind).collect()
}

/// A GPU that was pulled out tells nothing any more.
fn is_gone(fault: GpuFault) -> bool {
    matches!(fault, GpuFault::Lost | GpuFault::FallenOff)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::NodeConfig;

    fn told(change: impl FnOnce(&mut State)) -> Vec<(u32, EventKind)> {
        let before = NodeConfig::uniform("h200-141gb", 2).state().expect("a node");
        let mut after = before.clone();
        change(&mut after);
        follow(&before, &mut after);
        after.events.since(0).map(|event| (event.minor, event.kind)).collect()
    }

    #[test]
    fn changes_tell_themselves() {
        assert_eq!(told(|_| {}), []);
        assert_eq!(told(|state| state.gpus[1].mig.enabled = true), [(1, EventKind::MigConfig)]);
        assert_eq!(told(|state| state.gpus[0].fault = GpuFault::FallenOff), [(0, EventKind::Xid(79))]);
        assert_eq!(
            told(|state| state.gpus[0].fault = GpuFault::ResetRequired),
            [(0, EventKind::RecoveryAction)]
        );
        assert_eq!(told(|state| state.gpus[0].fault = GpuFault::Removed), []);
        assert_eq!(
            told(|state| state.gpus[1].telemetry.ecc_errors.dram.volatile_uncorrected += 1),
            [(1, EventKind::DoubleBitEcc), (1, EventKind::Xid(48))]
        );
    }

    #[test]
    fn what_was_put_in_is_not_told_twice() {
        let both = told(|state| {
            state.raise(0, EventKind::Xid(79));
            state.gpus[0].fault = GpuFault::Lost;
        });
        assert_eq!(both, [(0, EventKind::Xid(79))]);
    }
}
