//! The rules of the repository that no lint holds.

use std::collections::{BTreeMap, BTreeSet};

use berth_repository::{Source, metadata, sources};
use serde_json::Value;

const LONGEST_FILE: usize = 600;

fn offenders(extension: &str, rule: impl Fn(&Source) -> bool) -> Vec<String> {
    let all = sources(extension).expect("a readable repository");
    assert!(!all.is_empty(), "no .{extension} file found");
    all.iter().filter(|source| rule(source)).map(|source| source.path.display().to_string()).collect()
}

/// Packages of the workspace and those of them that each needs, tests' needs left out.
fn needs() -> BTreeMap<String, BTreeSet<String>> {
    let metadata = metadata().expect("cargo metadata");
    let packages = metadata.get("packages").and_then(Value::as_array).expect("packages");
    packages.iter().map(|package| (text(package.get("name")), dependencies(package))).collect()
}

fn dependencies(package: &Value) -> BTreeSet<String> {
    let all = package.get("dependencies").and_then(Value::as_array).expect("dependencies");
    all.iter()
        .filter(|need| need.get("kind").is_none_or(Value::is_null))
        .map(|need| text(need.get("name")))
        .collect()
}

fn text(value: Option<&Value>) -> String {
    value.and_then(Value::as_str).expect("a string").into()
}

#[test]
fn every_module_says_its_job_first() {
    let silent = offenders("rs", |source| !source.text.starts_with("//! "));
    assert!(silent.is_empty(), "no //! at the top of {silent:#?}");
}

#[test]
fn no_file_is_too_long_to_read() {
    let long = offenders("rs", |source| source.text.lines().count() > LONGEST_FILE);
    assert!(long.is_empty(), "more than {LONGEST_FILE} lines in {long:#?}");
}

#[test]
fn nothing_is_left_open() {
    // Written in parts so that this file doesn't offend itself.
    let marks =
        [concat!("TO", "DO"), concat!("FIX", "ME"), concat!("todo", "!("), concat!("unimpl", "emented!(")];
    let ignored = concat!("#[", "ignore");
    let open =
        offenders("rs", |source| marks.iter().chain([&ignored]).any(|mark| source.text.contains(mark)));
    assert!(open.is_empty(), "left open in {open:#?}");
}

#[test]
fn dependencies_point_one_way() {
    let needs = needs();
    let allowed: [(&str, &[&str]); 4] = [
        ("berth-allocator", &[]),
        ("berth-cdi", &["berth-allocator"]),
        ("berth-kubelet-plugin", &["berth-allocator", "berth-cdi"]),
        ("berth-nri-plugin", &["berth-allocator", "berth-cdi"]),
    ];
    for (package, allowed) in allowed {
        let own = needs.get(package).unwrap_or_else(|| panic!("{package} is missing"));
        let wrong: Vec<_> = own
            .iter()
            .filter(|need| need.starts_with("berth-") && !allowed.contains(&need.as_str()))
            .collect();
        assert!(wrong.is_empty(), "{package} must not need {wrong:?}");
    }
}

#[test]
fn the_allocator_stays_pure() {
    let needs = needs();
    let pure = BTreeSet::from(["serde".to_string(), "thiserror".to_string()]);
    let extra: Vec<_> = needs["berth-allocator"].difference(&pure).collect();
    assert!(extra.is_empty(), "berth-allocator needs {extra:?}");
}

#[test]
fn every_package_obeys_the_one_lint_table() {
    let manifests = sources("toml").expect("manifests");
    let packages: Vec<_> = manifests.iter().filter(|source| source.text.contains("[package]")).collect();
    assert!(packages.len() >= needs().len(), "fewer manifests than packages");
    for manifest in packages {
        assert!(manifest.text.contains("[lints]\nworkspace = true"), "{}", manifest.path.display());
        assert!(manifest.text.contains("version.workspace = true"), "{}", manifest.path.display());
    }
}

#[test]
fn the_architecture_names_every_package() {
    let documents = sources("md").expect("documents");
    let architecture = documents.iter().find(|source| source.path.ends_with("ARCHITECTURE.md"));
    let architecture = &architecture.expect("ARCHITECTURE.md").text;
    let unnamed: Vec<_> =
        needs().into_keys().filter(|package| !architecture.contains(&format!("`{package}`"))).collect();
    assert!(unnamed.is_empty(), "ARCHITECTURE.md does not name {unnamed:?}");
}

#[test]
fn the_changelog_keeps_its_form() {
    let documents = sources("md").expect("documents");
    let changelog =
        documents.iter().find(|source| source.path.ends_with("CHANGELOG.md")).expect("CHANGELOG.md");
    let kinds = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"];
    let headings: Vec<_> = changelog.text.lines().filter_map(|line| line.strip_prefix("### ")).collect();
    assert!(changelog.text.contains("\n## [Unreleased]\n"), "no section for what is not released");
    assert!(headings.iter().all(|heading| kinds.contains(heading)), "unknown heading in {headings:?}");
}
