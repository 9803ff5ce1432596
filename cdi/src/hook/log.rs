//! What the hook says on the standard error stream, which runtimes show when it fails.

use std::{fmt::Display, io::Write as _};

/// Writes warnings always, notes only when asked to.
#[derive(Debug)]
pub struct Log {
    verbose: bool,
}

impl Log {
    /// With notes, or without.
    #[must_use]
    pub fn new(verbose: bool) -> Self {
        Self { verbose }
    }

    /// Something that is as it should be, or is the image's own affair.
    pub fn note(&mut self, text: &dyn Display) {
        if self.verbose {
            self.line("note", text);
        }
    }

    /// Something that the container lacks and starts without.
    pub fn warn(&mut self, text: &dyn Display) {
        self.line("warning", text);
    }

    /// Why the container does not start.
    pub fn error(&mut self, text: &dyn Display) {
        self.line("error", text);
    }

    fn line(&mut self, kind: &str, text: &dyn Display) {
        // Nobody is left to be told when the stream is closed.
        writeln!(std::io::stderr(), "berth-cdi-hook: {kind}: {text}").unwrap_or(());
    }
}
