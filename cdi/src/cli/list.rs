//! `berth-cdi list`: devices as a runtime resolves them.

use std::path::Path;

use super::{
    Exit, Terminal,
    args::{List, Output},
};
use crate::check;

/// Runs the command.
pub(super) fn run(arguments: &List, terminal: &mut Terminal) -> Exit {
    let Some(root) = super::check::root(&arguments.host_root, terminal) else { return Exit::Failed };
    let folders: Vec<&Path> = arguments.spec_dir.iter().map(AsRef::as_ref).collect();
    let resolved = check::list(&root, &folders);
    resolved.findings.iter().for_each(|finding| terminal.warning(&finding.to_string()));
    let text = match arguments.output {
        Output::Text => resolved.devices.iter().map(|device| format!("{}\n", device.name)).collect(),
        Output::Json => super::check::json(&resolved.devices),
    };
    if terminal.print(text.as_bytes()) { Exit::Good } else { Exit::Failed }
}
