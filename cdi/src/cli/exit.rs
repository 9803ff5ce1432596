//! Exit codes.

use std::process::ExitCode;

/// How the program ended; the numbers are part of the command line's contract (`docs/cli.md`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// All is as it was asked for; what was left out was said.
    Good,
    /// It could not be done, or `check` found an error.
    Failed,
    /// The command line is wrong.
    Usage,
    /// Something was left out and `--strict` was given.
    Incomplete,
}

impl Exit {
    /// The process's exit code.
    #[must_use]
    pub fn code(self) -> u8 {
        match self {
            Self::Good => 0,
            Self::Failed => 1,
            Self::Usage => 2,
            Self::Incomplete => 3,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}
