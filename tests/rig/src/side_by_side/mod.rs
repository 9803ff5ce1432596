//! Berth's spec and that of NVIDIA's container toolkit, side by side: every difference with its reason.

mod case;
mod document;
mod fact;
mod fault;
mod reason;
mod run;

use std::collections::BTreeSet;

pub use self::{
    case::{CASES, Case, REAL},
    document::{Broken, Section, document},
    fact::{Fact, Scope, Topic, facts},
    fault::{FAULTS, Fault, Outcome, outcomes},
    reason::{reason, reasons},
    run::{CompareError, Programs, specs},
};

/// Whose spec says it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Side {
    /// Berth's alone.
    Berth,
    /// NVIDIA's alone.
    Nvidia,
}

/// A fact of one side that is none of the other.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Difference {
    /// Whose.
    pub side: Side,
    /// The fact.
    pub fact: Fact,
}

/// What differs between the facts of both.
#[must_use]
pub fn differences(berth: &BTreeSet<Fact>, nvidia: &BTreeSet<Fact>) -> Vec<Difference> {
    let of = |side| move |fact: &Fact| Difference { side, fact: fact.clone() };
    let ours = berth.difference(nvidia).map(of(Side::Berth));
    ours.chain(nvidia.difference(berth).map(of(Side::Nvidia))).collect()
}

/// The `cases`, compared.
#[must_use]
pub fn compare_all(cases: &[Case], programs: &Programs) -> Vec<Section> {
    cases.iter().map(|case| section(case, programs)).collect()
}

fn section(case: &Case, programs: &Programs) -> Section {
    let both = specs(case, programs).map(|(ours, theirs)| (facts(&ours), facts(&theirs)));
    Section {
        name: case.name.into(),
        flags: case.flags.join(" "),
        shared: both.as_ref().map_or(0, |(ours, theirs)| ours.intersection(theirs).count()),
        found: both.map(|(ours, theirs)| differences(&ours, &theirs)).map_err(|error| error.to_string()),
    }
}

/// What both make of all that may be broken.
///
/// # Errors
/// [`CompareError`].
pub fn break_all(programs: &Programs) -> Result<Vec<Broken>, CompareError> {
    let one = |fault: &Fault| {
        let (berth, nvidia) = outcomes(fault, programs)?;
        Ok(Broken { name: fault.name.into(), berth, nvidia })
    };
    FAULTS.iter().map(one).collect()
}
