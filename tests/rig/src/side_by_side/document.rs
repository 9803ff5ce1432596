//! The comparison as a document for people.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    Difference, Outcome, Scope, Side, Topic,
    reason::{reason, reasons},
};

/// What was found of one case.
#[derive(Debug, Clone)]
pub struct Section {
    /// The case's name.
    pub name: String,
    /// How both were called, without the programs' names.
    pub flags: String,
    /// Facts that both specs share.
    pub shared: usize,
    /// What differs; or why one of them described nothing.
    pub found: Result<Vec<Difference>, String>,
}

/// What was made of a node on which something is broken.
#[derive(Debug, Clone)]
pub struct Broken {
    /// What is.
    pub name: String,
    /// Berth's outcome.
    pub berth: Outcome,
    /// NVIDIA's.
    pub nvidia: Outcome,
}

/// Things of one row that are told by name; the others are counted.
const NAMED: usize = 40;

/// The document of all `sections`, and of all that is `broken`.
#[must_use]
pub fn document(sections: &[Section], broken: &[Broken], version: &str) -> String {
    let mut text = format!(
        "# Berth's specs beside those of NVIDIA's container toolkit\n\n\
         Made by `berth-rig compare` with `nvidia-ctk` {version} on simulated nodes; a test holds that it is so, and \
         that\nevery difference has a reason. What both specs say alike is counted, not listed.\n\n## Reasons\n\n"
    );
    for (number, why) in reasons().into_iter().enumerate() {
        text.push_str(&format!("{}. {why}\n", number + 1));
    }
    for section in sections {
        text.push_str(&format!("\n## {}\n\n", heading(&section.name)));
        let flags = if section.flags.is_empty() { String::new() } else { format!(" {}", section.flags) };
        text.push_str(&format!("`cdi generate{flags}`: {} things alike.\n", section.shared));
        match &section.found {
            Ok(differences) => text.push_str(&table(differences)),
            Err(why) => text.push_str(&format!("\n{why}\n")),
        }
    }
    text.push_str(&faults(broken));
    text
}

fn faults(broken: &[Broken]) -> String {
    let mut text = String::from(
        "\n## Nodes on which something is broken\n\n\
         `cdi generate --device-name-strategy index`, NVIDIA's with `--quiet`: without it some twenty lines tell of files \
         that most\nnodes lack. Where there is no spec, the file of before stays.\n\n\
         | what is broken | NVIDIA | Berth |\n|---|---|---|\n",
    );
    for Broken { name, berth, nvidia } in broken {
        text.push_str(&format!("| {name} | {} | {} |\n", outcome(nvidia), outcome(berth)));
    }
    text
}

fn outcome(outcome: &Outcome) -> String {
    let quoted: Vec<String> = outcome.said.iter().map(|line| format!("\"{line}\"")).collect();
    let said = if quoted.is_empty() { "nothing".into() } else { quoted.join(", ") };
    if outcome.devices.is_empty() {
        return format!("no spec; says {said}");
    }
    let devices = outcome.devices.iter().map(|device| format!("`{device}`")).collect::<Vec<_>>().join(", ");
    let nodes = outcome.nodes.as_ref().map(|nodes| {
        let named: Vec<String> = nodes.iter().map(|node| format!("`{node}`")).collect();
        let named = if named.is_empty() { "no node".into() } else { named.join(", ") };
        format!(", with {named} for the one concerned")
    });
    format!("{devices}{}; says {said}", nodes.unwrap_or_default())
}

fn heading(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// Whose, about what, by which reason.
type Group = (Side, Topic, usize);

fn table(differences: &[Difference]) -> String {
    let mut groups: BTreeMap<Group, (BTreeSet<Scope>, BTreeSet<&str>)> = BTreeMap::new();
    for Difference { side, fact } in differences {
        let why = reason(&Difference { side: *side, fact: fact.clone() });
        let number = reasons().iter().position(|known| Some(*known) == why).map_or(0, |index| index + 1);
        let (scopes, things) = groups.entry((*side, fact.topic, number)).or_default();
        scopes.insert(fact.scope);
        things.insert(&fact.text);
    }
    if groups.is_empty() {
        return "No difference.\n".into();
    }
    let mut text = String::from("\n| only in | for | what | reason |\n|---|---|---|---|\n");
    for ((side, topic, number), (scopes, things)) in groups {
        let scopes: Vec<String> = scopes.iter().map(ToString::to_string).collect();
        let (owner, scopes, about) = (owner(side), scopes.join(", "), about(topic));
        text.push_str(&format!("| {owner} | {scopes} | {about}: {} | {number} |\n", list(&things)));
    }
    text
}

fn owner(side: Side) -> &'static str {
    match side {
        Side::Berth => "Berth",
        Side::Nvidia => "NVIDIA",
    }
}

fn about(topic: Topic) -> &'static str {
    match topic {
        Topic::Version => "CDI version",
        Topic::Kind => "kind",
        Topic::Name => "device",
        Topic::Variable => "variable",
        Topic::Node => "node",
        Topic::Numbers => "nodes",
        Topic::Group => "group",
        Topic::Mount => "mount",
        Topic::Origin => "host's file",
        Topic::Options => "options of mount",
        Topic::Link => "link",
        Topic::Action => "hook",
        Topic::Processes => "hook processes",
    }
}

fn list(things: &BTreeSet<&str>) -> String {
    let named: Vec<String> = things.iter().take(NAMED).map(|thing| format!("`{thing}`")).collect();
    let more = things.len().saturating_sub(NAMED);
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{rest}", named.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::side_by_side::Fact;

    #[test]
    fn what_has_no_reason_has_number_zero_and_long_lists_are_cut() {
        let fact = |text: &str| Fact { scope: Scope::Common, topic: Topic::Variable, text: text.into() };
        let things = (0..NAMED + 1).map(|thing| format!("{thing:02}"));
        let differences: Vec<_> =
            things.map(|text| Difference { side: Side::Berth, fact: fact(&text) }).collect();
        let told = table(&differences);
        assert!(told.contains("variable: `00`, `01`") && told.ends_with(" and 1 more | 0 |\n"), "{told}");
        assert_eq!(table(&[]), "No difference.\n");
    }
}
