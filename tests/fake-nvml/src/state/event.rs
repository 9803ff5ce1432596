//! What happens to GPUs: the events that a program waits for with `nvmlEventSetWait`.
//!
//! The state keeps the last of them, numbered for ever: a waiting process remembers the number that it has seen. Most
//! events follow from a change of the state by themselves ([`super::follow`]), any can be put in ([`super::State::raise`]).

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

/// More than any process lags behind.
const KEPT: usize = 256;

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Event {
    /// Rises by one from event to event.
    pub number: u64,
    /// Minor number of the GPU.
    pub minor: u32,
    /// What.
    pub kind: EventKind,
    /// GPU instance and compute instance, if one of them was hit and not the whole GPU.
    pub instance: Option<(u32, u32)>,
}

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EventKind {
    /// A corrected memory error.
    SingleBitEcc,
    /// An uncorrected memory error.
    DoubleBitEcc,
    /// Another performance state, with its number.
    PerformanceState(u32),
    /// A line of the driver's log, with its number (79: fallen off the bus).
    Xid(u64),
    /// Other application clocks.
    Clock,
    /// Another source of power.
    PowerSource,
    /// MIG mode, or instances made or destroyed.
    MigConfig,
    /// A row of memory will be replaced at the next reset.
    DramRetirement,
    /// No spare row was left.
    DramRetirementFailure,
    /// The driver says what would help: a reset, or more.
    RecoveryAction,
}

impl EventKind {
    /// The bit of `nvmlEventType*`.
    #[must_use]
    pub fn bit(self) -> u64 {
        match self {
            Self::SingleBitEcc => 0x1,
            Self::DoubleBitEcc => 0x2,
            Self::PerformanceState(_) => 0x4,
            Self::Xid(_) => 0x8,
            Self::Clock => 0x10,
            Self::PowerSource => 0x80,
            Self::MigConfig => 0x100,
            Self::DramRetirement => 0x400,
            Self::DramRetirementFailure => 0x800,
            Self::RecoveryAction => 0x8000,
        }
    }

    /// `eventData`: the number of an XID, else nothing.
    #[must_use]
    pub fn data(self) -> u64 {
        match self {
            Self::Xid(number) => number,
            Self::PerformanceState(state) => state.into(),
            Self::SingleBitEcc
            | Self::DoubleBitEcc
            | Self::Clock
            | Self::PowerSource
            | Self::MigConfig
            | Self::DramRetirement
            | Self::DramRetirementFailure
            | Self::RecoveryAction => 0,
        }
    }
}

/// The last events.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EventLog {
    /// Events so far: the number of the next.
    pub count: u64,
    /// The last of them, in order.
    recent: VecDeque<Event>,
}

impl EventLog {
    /// Adds an event; the oldest may go.
    pub fn push(&mut self, minor: u32, kind: EventKind, instance: Option<(u32, u32)>) {
        self.recent.push_back(Event { number: self.count, minor, kind, instance });
        self.count += 1;
        if self.recent.len() > KEPT {
            self.recent.pop_front();
        }
    }

    /// The events as of `number`, in order.
    pub fn since(&self, number: u64) -> impl Iterator<Item = &Event> {
        self.recent.iter().filter(move |event| event.number >= number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_events_go_and_numbers_stay() {
        let mut log = EventLog::default();
        for xid in 0..300 {
            log.push(1, EventKind::Xid(xid), None);
        }
        let kept: Vec<u64> = log.since(0).map(|event| event.kind.data()).collect();
        assert_eq!((kept.len(), kept.first(), kept.last()), (KEPT, Some(&44), Some(&299)));
        assert_eq!(log.since(299).count(), 1);
        assert_eq!(log.since(log.count).count(), 0);
    }
}
