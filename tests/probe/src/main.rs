//! `berth-probe`: writes what the container that it runs in sees, as JSON.
//!
//! Arguments are numbers of device nodes to make and open besides, such as `195:1`.
#![expect(clippy::print_stdout, reason = "a command-line tool")]

use std::{env, path::Path};

fn main() {
    let arguments = env::args().skip(1);
    let numbers: Vec<(u64, u64)> = arguments.filter_map(|argument| numbers(&argument)).collect();
    let report = berth_probe::look(env::vars_os(), &numbers, Path::new("/"));
    println!("{}", serde_json::to_string(&report).unwrap_or_default());
}

fn numbers(argument: &str) -> Option<(u64, u64)> {
    let (major, minor) = argument.split_once(':')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}
