//! What people read: results on standard output, everything else on standard error, colours on a terminal alone.

use std::io::{self, IsTerminal, Write};

use crate::chain::chain;

/// Where lines for people go.
#[derive(Debug, Clone, Copy)]
pub(super) struct Terminal {
    colours: bool,
    quiet: bool,
    debug: bool,
}

const RED: &str = "31";
const YELLOW: &str = "33";

impl Terminal {
    /// The process's own: colours where standard error is a terminal and `NO_COLOR` is not set.
    pub(super) fn of_process() -> Self {
        let wanted = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        Self { colours: wanted && io::stderr().is_terminal(), quiet: false, debug: false }
    }

    pub(super) fn quiet(self, quiet: bool) -> Self {
        Self { quiet, ..self }
    }

    pub(super) fn debug(self, debug: bool) -> Self {
        Self { debug, ..self }
    }

    /// An error with all its causes, on one line.
    pub(super) fn failure(&mut self, error: &dyn std::error::Error) {
        self.error(&chain(error));
    }

    pub(super) fn error(&mut self, text: &str) {
        self.line("error", RED, text);
    }

    pub(super) fn warning(&mut self, text: &str) {
        if !self.quiet {
            self.line("warning", YELLOW, text);
        }
    }

    /// A line of a daemon's log, which brings its own label where it needs one; a quiet one tells warnings alone.
    pub(super) fn log(&mut self, line: &str) {
        match line.strip_prefix("warning: ") {
            Some(text) => self.line("warning", YELLOW, text),
            None if self.quiet => {}
            None => self.line("info", "2", line),
        }
    }

    pub(super) fn debugging(&mut self, text: &str) {
        if self.debug {
            self.line("debug", "2", text);
        }
    }

    /// clap's own text: help on standard output, errors on standard error.
    pub(super) fn help(&mut self, error: &clap::Error) {
        // Nobody is left to be told when the reader went away.
        drop(error.print());
    }

    /// Prints `text`; false when it could not be printed. A reader that went away early is no failure.
    pub(super) fn print(&mut self, text: &[u8]) -> bool {
        let mut out = io::stdout().lock();
        let printed = out.write_all(text).and_then(|()| out.flush());
        match printed {
            Ok(()) => true,
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => true,
            Err(error) => {
                self.error(&format!("cannot print; check where the output goes: {error}"));
                false
            }
        }
    }

    fn line(&mut self, label: &str, colour: &str, text: &str) {
        let label = if self.colours { format!("\x1b[{colour}m{label}\x1b[0m") } else { label.to_owned() };
        let text: String = text.chars().flat_map(shown).collect();
        drop(writeln!(io::stderr(), "{label}: {text}"));
    }
}

/// Names come from files: nothing of them may reach a terminal as a control code.
fn shown(c: char) -> impl Iterator<Item = char> {
    let (plain, escaped) = if c.is_control() { (None, Some(c.escape_default())) } else { (Some(c), None) };
    plain.into_iter().chain(escaped.into_iter().flatten())
}
