//! The command line of `berth-node`.
//!
//! It speaks on standard error alone, but for `show`; a failed command exits with 1, a wrong one with 2.

mod arguments;
mod create;
mod faults;
mod perform;
mod show;

use std::error::Error;

pub use self::arguments::Arguments;

/// Any error of a command; told once, with all its causes.
pub type Failure = Box<dyn Error + Send + Sync>;

/// Does what the command line asks for.
///
/// # Errors
/// What kept it from being done.
pub fn run(arguments: Arguments) -> Result<(), Failure> {
    perform::perform(arguments.command)
}

/// Prints an error with its causes, in one line, on standard error.
#[expect(clippy::print_stderr, reason = "this is where a person is told")]
pub fn complain(error: &Failure) {
    let mut told = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        told += &format!(": {error}");
        cause = error.source();
    }
    eprintln!("berth-node: {told}");
}

/// Prints a remark on standard error.
#[expect(clippy::print_stderr, reason = "this is where a person is told")]
fn remark(text: &str) {
    eprintln!("berth-node: {text}");
}
