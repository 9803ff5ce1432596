//! `berth-cdi check`: findings, one line each.

use std::path::Path;

use serde::Serialize;

use super::{
    Exit, Terminal,
    args::{Check, Output},
};
use crate::{
    check::{self, Expect, Report},
    root::Root,
};

/// Runs the command.
pub(super) fn run(arguments: &Check, terminal: &mut Terminal) -> Exit {
    let Some(root) = root(&arguments.host_root, terminal) else { return Exit::Failed };
    let report = report(arguments, &root);
    let text = match arguments.output {
        Output::Text => report.findings.iter().map(|finding| format!("{finding}\n")).collect(),
        Output::Json => json(&report),
    };
    if report.files == 0 && report.findings.is_empty() {
        terminal.warning("no cdi file found; make one with berth-cdi generate");
    }
    match (terminal.print(text.as_bytes()), report.exit_code()) {
        (true, 0) => Exit::Good,
        _ => Exit::Failed,
    }
}

/// The host at `path`; where it can't be used, that is said.
pub(super) fn root(path: &Path, terminal: &mut Terminal) -> Option<Root> {
    Root::new(path).map_err(|error| terminal.failure(&error)).ok()
}

fn report(arguments: &Check, root: &Root) -> Report {
    let expect = Expect { kata: arguments.kata, owner: 0 };
    match &arguments.file {
        Some(file) => check::check_file(root, file, &expect),
        None => {
            let folders: Vec<&Path> = arguments.spec_dir.iter().map(AsRef::as_ref).collect();
            check::check(root, &folders, &expect)
        }
    }
}

/// `value` as indented JSON with a final newline.
pub(super) fn json(value: &impl Serialize) -> String {
    // Plain data with text keys: there is nothing in it that JSON can't say.
    serde_json::to_string_pretty(value).map(|text| text + "\n").unwrap_or_default()
}
