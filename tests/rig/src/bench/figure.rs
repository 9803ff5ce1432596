//! Figures beside their goals, one line each.

use std::{fmt, time::Duration};

use crate::measure::Cost;

/// What a figure should be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Goal {
    /// This or more.
    AtLeast(f64),
    /// This or less.
    AtMost(f64),
}

/// A figure with its goal; shown as the one line that people and machines read.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// What was measured.
    pub name: String,
    /// How much.
    pub value: f64,
    /// Of what.
    pub unit: &'static str,
    /// What it should be.
    pub goal: Goal,
}

impl Figure {
    /// True when the goal is reached.
    #[must_use]
    pub fn met(&self) -> bool {
        match self.goal {
            Goal::AtLeast(least) => self.value >= least,
            Goal::AtMost(most) => self.value <= most,
        }
    }
}

impl fmt::Display for Figure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (sign, goal) = match self.goal {
            Goal::AtLeast(least) => (">=", least),
            Goal::AtMost(most) => ("<=", most),
        };
        let verdict = if self.met() { "met" } else { "missed" };
        write!(out, "bench {} {:.2} {} goal {sign}{goal} {verdict}", self.name, self.value, self.unit)
    }
}

/// The middle of some costs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Middle {
    /// Median wall time in milliseconds.
    pub ms: f64,
    /// The shortest wall time in milliseconds.
    pub least_ms: f64,
    /// Median processor time in milliseconds, which depends less on what else the machine does.
    pub cpu_ms: f64,
    /// Median peak of memory in MiB.
    pub mib: f64,
    /// What no peak can be seen below, in MiB.
    pub floor_mib: f64,
}

/// The middle of `costs`; all zero when there are none.
#[must_use]
pub fn middle(costs: &[Cost]) -> Middle {
    let ms = |cost: &Cost| milliseconds(cost.wall);
    Middle {
        ms: median(costs.iter().map(ms)),
        least_ms: costs.iter().map(ms).fold(f64::INFINITY, f64::min),
        cpu_ms: median(costs.iter().map(|cost| milliseconds(cost.cpu))),
        mib: median(costs.iter().map(|cost| mib(cost.peak_kib))),
        floor_mib: median(costs.iter().map(|cost| mib(cost.floor_kib))),
    }
}

/// The middle of what each pair gives, `other` by `one`: what disturbed one run of a pair disturbed the other.
#[must_use]
pub fn ratio(one: &[Cost], other: &[Cost], of: impl Fn(&Cost) -> f64) -> f64 {
    median(one.iter().zip(other).map(|(one, other)| of(other) / of(one)))
}

/// `wall` in milliseconds.
#[must_use]
pub fn milliseconds(wall: Duration) -> f64 {
    wall.as_secs_f64() * 1_000.0
}

#[expect(clippy::cast_precision_loss, reason = "memory in KiB is far below 2^52")]
fn mib(kib: u64) -> f64 {
    kib as f64 / 1024.0
}

fn median(figures: impl Iterator<Item = f64>) -> f64 {
    let mut figures: Vec<f64> = figures.collect();
    figures.sort_by(f64::total_cmp);
    figures.get(figures.len() / 2).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_is_one_line_with_its_verdict() {
        let figure = |value, goal| Figure { name: "x".into(), value, unit: "times", goal };
        for (figure, line) in [
            (figure(20.0, Goal::AtLeast(20.0)), "bench x 20.00 times goal >=20 met"),
            (figure(19.99, Goal::AtLeast(20.0)), "bench x 19.99 times goal >=20 missed"),
            (figure(7.2, Goal::AtMost(7.1)), "bench x 7.20 times goal <=7.1 missed"),
        ] {
            assert_eq!(figure.to_string(), line);
        }
    }

    #[test]
    fn a_ratio_is_taken_pair_by_pair() {
        let cost =
            |ms| Cost { wall: Duration::from_millis(ms), cpu: Duration::ZERO, peak_kib: 1024, floor_kib: 0 };
        let (one, other) = ([cost(1), cost(10), cost(2)], [cost(20), cost(200), cost(42)]);
        assert!((ratio(&one, &other, |cost| milliseconds(cost.wall)) - 20.0).abs() < 1e-9);
        assert!((middle(&one).ms - 2.0).abs() < 1e-9);
    }
}
