//! What an event calls for: time and outcomes in, actions out.
//!
//! Times are durations since an arbitrary start that never goes back, such as the time since boot.

use std::time::Duration;

/// How long the node must be quiet before it is looked at: a driver load makes dozens of changes.
pub const SETTLE: Duration = Duration::from_millis(200);
/// The longest that a node which never becomes quiet is waited for.
pub const SETTLE_AT_MOST: Duration = Duration::from_secs(2);
/// First wait after a failure; doubled each time.
pub const RETRY_FIRST: Duration = Duration::from_secs(1);
/// Longest wait after a failure.
pub const RETRY_AT_MOST: Duration = Duration::from_secs(60);
/// First wait for what was left out; doubled each time, up to [`RECHECK`].
pub const PARTIAL_FIRST: Duration = Duration::from_secs(60);
/// So many generations in a row may find nothing new before changes are waited for longer: what makes them may be no
/// change at all, such as a program that makes and removes files all the time.
pub const VAIN: u32 = 5;
/// The longest that a node is left alone for that.
pub const VAIN_AT_MOST: Duration = Duration::from_secs(60);
/// Without any event the node is looked at again after this: a net below the events, no polling.
pub const RECHECK: Duration = Duration::from_secs(600);
/// How long a driver may be away before its spec is withdrawn: longer than a reload or an upgrade takes.
pub const WITHDRAW_AFTER: Duration = Duration::from_secs(120);

/// Something that happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// Something on the node changed.
    Changed,
    /// An operator asks for a generation now.
    Asked,
    /// The deadline may have passed.
    Woken,
    /// A generation ended.
    Generated(Outcome),
}

/// How a generation ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The file was written and is true now.
    True,
    /// The file was true already.
    Same,
    /// The file is true, and something was left out that may come back without any event, such as a lost GPU.
    Partial,
    /// There is a driver, and it did not answer well enough for a file.
    Failed,
    /// There is no driver.
    NoDriver,
}

impl Outcome {
    /// Whether the driver answered.
    #[must_use]
    pub fn answers(self) -> bool {
        matches!(self, Self::True | Self::Same | Self::Partial)
    }
}

/// What is to be done, in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Observe, build and replace the file.
    Generate,
    /// Remove the file: its devices don't exist any more.
    Withdraw,
}

/// What is waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct State {
    /// Changes that have not been looked at: when the first and the last of them came.
    unseen: Option<(Duration, Duration)>,
    /// Failures since the last success.
    failures: u32,
    /// Generations since the last that left nothing out.
    partial: u32,
    /// Generations since the last that found something new, or since the node was quiet.
    vain: u32,
    driver: Driver,
    /// When the node is looked at again without any event.
    look_again: Option<Duration>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Driver {
    #[default]
    Present,
    Gone {
        since: Duration,
    },
    Withdrawn,
}

impl State {
    /// When [`Event::Woken`] is due, if ever.
    #[must_use]
    pub fn deadline(&self) -> Option<Duration> {
        [self.settled(), self.withdrawal(), self.look_again].into_iter().flatten().min()
    }

    fn settled(&self) -> Option<Duration> {
        let (first, last) = self.unseen?;
        let rest = match self.vain.checked_sub(VAIN) {
            None | Some(0) => return Some((last + SETTLE).min(first + SETTLE_AT_MOST)),
            Some(over) => SETTLE_AT_MOST.saturating_mul(2u32.saturating_pow(over - 1)).min(VAIN_AT_MOST),
        };
        Some(first + rest)
    }

    fn withdrawal(&self) -> Option<Duration> {
        match self.driver {
            Driver::Gone { since } => Some(since + WITHDRAW_AFTER),
            Driver::Present | Driver::Withdrawn => None,
        }
    }

    /// The state after `event` at `now`, and what it calls for.
    #[must_use]
    pub fn step(mut self, now: Duration, event: &Event) -> (Self, Vec<Action>) {
        match event {
            Event::Changed => {
                let first = self.unseen.map_or(now, |(first, _)| first);
                self.unseen = Some((first, now));
                (self, Vec::new())
            }
            Event::Asked => self.look(),
            Event::Woken => self.woken(now),
            Event::Generated(outcome) => (self.generated(now, *outcome), Vec::new()),
        }
    }

    fn look(mut self) -> (Self, Vec<Action>) {
        self.unseen = None;
        self.look_again = None;
        (self, vec![Action::Generate])
    }

    fn woken(mut self, now: Duration) -> (Self, Vec<Action>) {
        let due = |at: Option<Duration>| at.is_some_and(|at| at <= now);
        if due(self.look_again) {
            self.vain = 0;
            return self.look();
        }
        if due(self.settled()) {
            return self.look();
        }
        if due(self.withdrawal()) {
            self.driver = Driver::Withdrawn;
            return (self, vec![Action::Withdraw]);
        }
        (self, Vec::new())
    }

    fn generated(mut self, now: Duration, outcome: Outcome) -> Self {
        self.failures = if outcome == Outcome::Failed { self.failures.saturating_add(1) } else { 0 };
        self.partial = if outcome == Outcome::Partial { self.partial.saturating_add(1) } else { 0 };
        self.vain = match outcome {
            Outcome::Same => self.vain.saturating_add(1),
            Outcome::Partial => self.vain,
            Outcome::True | Outcome::Failed | Outcome::NoDriver => 0,
        };
        self.driver = match (outcome, self.driver) {
            (Outcome::NoDriver, Driver::Present) => Driver::Gone { since: now },
            (Outcome::NoDriver, still) => still,
            (Outcome::True | Outcome::Same | Outcome::Partial | Outcome::Failed, _) => Driver::Present,
        };
        let wait = match outcome {
            Outcome::Failed => doubled(RETRY_FIRST, self.failures).min(RETRY_AT_MOST),
            Outcome::Partial => doubled(PARTIAL_FIRST, self.partial).min(RECHECK),
            Outcome::True | Outcome::Same | Outcome::NoDriver => RECHECK,
        };
        self.look_again = Some(now + wait);
        self
    }
}

/// `first`, doubled with each of `times` after the first.
fn doubled(first: Duration, times: u32) -> Duration {
    first.saturating_mul(2u32.saturating_pow(times.saturating_sub(1)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const T0: Duration = Duration::from_secs(1000);

    fn after(state: State, now: Duration, event: &Event) -> State {
        state.step(now, event).0
    }

    fn started() -> State {
        after(State::default(), T0, &Event::Generated(Outcome::True))
    }

    fn gone() -> State {
        after(started(), T0, &Event::Generated(Outcome::NoDriver))
    }

    #[test]
    fn a_burst_of_changes_is_one_generation() {
        let mut state = started();
        for millis in [0, 50, 100] {
            state = after(state, T0 + Duration::from_millis(millis), &Event::Changed);
        }
        let due = T0 + Duration::from_millis(100) + SETTLE;
        assert_eq!(state.deadline(), Some(due));
        assert_eq!(state.step(due - Duration::from_millis(1), &Event::Woken).1, []);
        let (state, actions) = state.step(due, &Event::Woken);
        assert_eq!((actions, state.deadline()), (vec![Action::Generate], None));
    }

    #[test]
    fn a_node_that_never_rests_is_looked_at_all_the_same() {
        let mut state = started();
        for millis in (0..3000).step_by(100) {
            state = after(state, T0 + Duration::from_millis(millis), &Event::Changed);
        }
        assert_eq!(state.deadline(), Some(T0 + SETTLE_AT_MOST));
    }

    #[test]
    fn a_quiet_node_is_not_polled() {
        assert_eq!(started().deadline(), Some(T0 + RECHECK));
        assert!(RECHECK >= Duration::from_secs(60));
    }

    #[test]
    fn changes_that_change_nothing_are_looked_at_ever_more_rarely_until_one_does() {
        let mut state = started();
        let waits = |state: &mut State, outcome| {
            let changed = after(*state, T0, &Event::Changed);
            let wait = changed.deadline().expect("a change is waited for") - T0;
            let (looked, actions) = changed.step(T0 + wait, &Event::Woken);
            assert_eq!(actions, [Action::Generate]);
            *state = after(looked, T0, &Event::Generated(outcome));
            wait
        };
        let same: Vec<_> = (0..14).map(|_| waits(&mut state, Outcome::Same)).collect();
        assert_eq!(same.iter().filter(|&&wait| wait == SETTLE).count(), 6);
        assert!(same.is_sorted() && same.last() == Some(&VAIN_AT_MOST), "{same:?}");
        assert_eq!(waits(&mut state, Outcome::True), VAIN_AT_MOST);
        assert_eq!(waits(&mut state, Outcome::Same), SETTLE);
    }

    #[test]
    fn failures_are_repeated_ever_more_slowly_and_forgotten_by_a_success() {
        let mut state = started();
        for wanted in [1, 2, 4, 8, 16, 32, 60, 60] {
            state = after(state, T0, &Event::Generated(Outcome::Failed));
            assert_eq!(state.deadline(), Some(T0 + Duration::from_secs(wanted)));
        }
        state = after(state, T0, &Event::Generated(Outcome::True));
        assert_eq!(after(state, T0, &Event::Generated(Outcome::Failed)).deadline(), Some(T0 + RETRY_FIRST));
    }

    #[test]
    fn what_was_left_out_is_looked_for_again_after_a_minute_and_ever_more_rarely() {
        let mut state = started();
        for wanted in [60, 120, 240, 480, 600, 600] {
            state = after(state, T0, &Event::Generated(Outcome::Partial));
            assert_eq!(state.deadline(), Some(T0 + Duration::from_secs(wanted)));
        }
        state = after(state, T0, &Event::Generated(Outcome::Same));
        assert_eq!(state.deadline(), Some(T0 + RECHECK));
    }

    #[test]
    fn a_change_cuts_the_wait_after_a_failure_short() {
        let mut state = started();
        for _failure in 0..7 {
            state = after(state, T0, &Event::Generated(Outcome::Failed));
        }
        assert_eq!(after(state, T0, &Event::Changed).deadline(), Some(T0 + SETTLE));
    }

    #[test]
    fn a_reload_of_the_driver_never_withdraws_the_file() {
        let back = after(gone(), T0 + Duration::from_secs(30), &Event::Generated(Outcome::True));
        assert_eq!(back.step(T0 + WITHDRAW_AFTER, &Event::Woken).1, []);
    }

    #[test]
    fn a_driver_that_stays_away_loses_its_file_once() {
        let (state, actions) = gone().step(T0 + WITHDRAW_AFTER, &Event::Woken);
        assert_eq!(actions, [Action::Withdraw]);
        let later = after(state, T0 + RECHECK, &Event::Generated(Outcome::NoDriver));
        assert_eq!(later.step(T0 + RECHECK + WITHDRAW_AFTER, &Event::Woken).1, []);
    }

    #[test]
    fn a_driver_that_comes_back_late_gets_its_file_again() {
        let (state, _) = gone().step(T0 + WITHDRAW_AFTER, &Event::Woken);
        let state = after(state, T0 + RECHECK, &Event::Changed);
        assert_eq!(state.step(T0 + RECHECK + SETTLE, &Event::Woken).1, [Action::Generate]);
    }

    fn any_event() -> impl Strategy<Value = Event> {
        prop_oneof![
            Just(Event::Changed),
            Just(Event::Asked),
            Just(Event::Woken),
            prop_oneof![
                Just(Outcome::True),
                Just(Outcome::Partial),
                Just(Outcome::Failed),
                Just(Outcome::NoDriver)
            ]
            .prop_map(Event::Generated),
        ]
    }

    proptest! {
        /// Whatever happens, a change is looked at within the longest settling time.
        #[test]
        fn no_change_is_forgotten(steps in prop::collection::vec((any_event(), 0u64..5000), 1..60)) {
            let (mut state, mut now) = (started(), T0);
            for (event, millis) in steps {
                now += Duration::from_millis(millis);
                state = after(state, now, &event);
            }
            state = after(state, now, &Event::Changed);
            let due = state.deadline().expect("a change is waited for");
            prop_assert!(due <= now + SETTLE_AT_MOST);
            let mut seen = Vec::new();
            for _wake in 0..2 {
                let (next, actions) = state.step(now + SETTLE_AT_MOST, &Event::Woken);
                state = next;
                seen.extend(actions);
            }
            prop_assert!(seen.contains(&Action::Generate));
        }

        /// A file is withdrawn only when the driver has been away all the time.
        #[test]
        fn a_present_driver_keeps_its_file(steps in prop::collection::vec((any_event(), 0u64..200_000), 1..60)) {
            let (mut state, mut now, mut gone_since) = (started(), T0, None);
            for (event, millis) in steps {
                now += Duration::from_millis(millis);
                match event {
                    Event::Generated(Outcome::NoDriver) => { gone_since.get_or_insert(now); }
                    Event::Generated(_) => gone_since = None,
                    Event::Changed | Event::Asked | Event::Woken => {}
                }
                let (next, actions) = state.step(now, &event);
                state = next;
                if actions.contains(&Action::Withdraw) {
                    prop_assert!(gone_since.is_some_and(|since| since + WITHDRAW_AFTER <= now));
                }
            }
        }
    }
}
