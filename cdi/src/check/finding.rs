//! What was found, for people and for programs.

use std::{
    fmt,
    path::{Path, PathBuf},
};

use serde::{Serialize, Serializer};

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Containers fail, get less than they asked for, or more than they should.
    Error,
    /// Some runtime or user is in trouble.
    Warning,
    /// Good to know.
    Note,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        })
    }
}

/// One thing that was found; shown as one line.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Finding {
    /// The spec file or folder.
    #[serde(serialize_with = "as_text")]
    pub file: PathBuf,
    /// How bad it is.
    pub severity: Severity,
    /// Name of the rule, stable for programs.
    pub rule: &'static str,
    /// Where in the file, such as `devices["0"].containerEdits.env[1]`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// What is wrong and what to do: one lower-case sentence.
    pub text: String,
}

impl Finding {
    pub(super) fn new(severity: Severity, rule: &'static str, file: &Path, text: impl Into<String>) -> Self {
        Self { file: file.into(), severity, rule, place: None, text: text.into() }
    }

    pub(super) fn at(mut self, place: impl Into<String>) -> Self {
        self.place = Some(place.into());
        self
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = match &self.place {
            Some(place) => format!("{}: {}: {place}: {}", self.severity, self.file.display(), self.text),
            None => format!("{}: {}: {}", self.severity, self.file.display(), self.text),
        };
        // Names and values come from files that others wrote: nothing of them may reach a terminal as a control code.
        line.chars().try_for_each(|c| {
            if c.is_control() { write!(f, "{}", c.escape_default()) } else { write!(f, "{c}") }
        })
    }
}

pub(super) fn as_text<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&path.to_string_lossy())
}

/// All that was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Report {
    /// How many spec files were read.
    pub files: usize,
    /// By file, worst first.
    pub findings: Vec<Finding>,
}

impl Report {
    /// Exit code of a program that checks: 0 without a finding of severity error, else 1. (2 is wrong usage.)
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        u8::from(self.findings.iter().any(|finding| finding.severity == Severity::Error))
    }
}
