//! Runs a program to its end, within a time.
#![expect(clippy::disallowed_types, reason = "starts programs")]

use std::{
    ffi::{OsStr, OsString},
    io,
    process::{Command, Output},
    time::Duration,
};

/// Exit status by which coreutils' timeout tells that the time was over.
const TIME_OVER: i32 = 124;

/// A program that did not do what it was asked to.
#[derive(Debug, thiserror::Error)]
pub enum ProgramError {
    /// It could not be started.
    #[error("cannot start {program}; is it installed and in PATH?")]
    Start {
        /// Its name.
        program: String,
        /// The system's reason.
        source: io::Error,
    },
    /// It took too long and was ended.
    #[error("{program} was not done after {} s and was ended; is the network slow or away?", .after.as_secs())]
    Time {
        /// Its name.
        program: String,
        /// The time that it had.
        after: Duration,
    },
    /// It ended with a failure.
    #[error("{program} failed ({status}): {said}")]
    Failed {
        /// Its name and first argument.
        program: String,
        /// How it ended.
        status: String,
        /// The last lines that it wrote to its standard error.
        said: String,
    },
}

/// A program with its arguments and environment.
#[derive(Debug)]
pub struct Program {
    name: String,
    arguments: Vec<OsString>,
    environment: Vec<(String, OsString)>,
    folder: Option<OsString>,
}

impl Program {
    /// `name`, as it is found in PATH or by its path, without arguments.
    #[must_use]
    pub fn new(name: &str) -> Self {
        Self { name: name.into(), arguments: Vec::new(), environment: Vec::new(), folder: None }
    }

    /// Adds arguments.
    #[must_use]
    pub fn arguments<I: IntoIterator<Item = S>, S: AsRef<OsStr>>(mut self, arguments: I) -> Self {
        self.arguments.extend(arguments.into_iter().map(|argument| argument.as_ref().to_os_string()));
        self
    }

    /// Adds a variable to the environment, or changes it.
    #[must_use]
    pub fn environment(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.environment.push((name.into(), value.as_ref().to_os_string()));
        self
    }

    /// Lets it run in `folder`.
    #[must_use]
    pub fn folder(mut self, folder: impl AsRef<OsStr>) -> Self {
        self.folder = Some(folder.as_ref().to_os_string());
        self
    }

    /// Runs it to its end and answers what it wrote to its standard output.
    ///
    /// # Errors
    /// [`ProgramError`], also when it ended with a failure.
    pub fn run(&self, within: Duration) -> Result<String, ProgramError> {
        let output = self.output(within)?;
        if output.status.success() {
            return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
        }
        Err(self.failure(&output, within))
    }

    /// Runs it to its end, whatever that is; a program that took too long was ended with status 124.
    ///
    /// # Errors
    /// [`ProgramError::Start`].
    pub fn output(&self, within: Duration) -> Result<Output, ProgramError> {
        let mut command = Command::new("timeout");
        command.arg("--kill-after=10").arg(within.as_secs().to_string()).arg(&self.name);
        command.args(&self.arguments).envs(self.environment.iter().map(|(name, value)| (name, value)));
        command.env("LC_ALL", "C.UTF-8");
        if let Some(folder) = &self.folder {
            command.current_dir(folder);
        }
        command.output().map_err(|source| ProgramError::Start { program: self.name.clone(), source })
    }

    fn failure(&self, output: &Output, within: Duration) -> ProgramError {
        if output.status.code() == Some(TIME_OVER) {
            return ProgramError::Time { program: self.name.clone(), after: within };
        }
        let first = self.arguments.iter().find(|argument| !argument.to_string_lossy().starts_with('-'));
        let first = first.map(|argument| format!(" {}", argument.to_string_lossy()));
        ProgramError::Failed {
            program: format!("{}{}", self.name, first.unwrap_or_default()),
            status: output.status.to_string(),
            said: last_lines(&String::from_utf8_lossy(&output.stderr)),
        }
    }
}

fn last_lines(text: &str) -> String {
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    lines.iter().skip(lines.len().saturating_sub(4)).copied().collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn a_failure_tells_the_program_and_its_last_words() {
        let failed = Program::new("sh").arguments(["-c", "echo one >&2; exit 3"]).run(SECOND);
        let told = failed.expect_err("a failure").to_string();
        assert!(told.contains("exit status: 3") && told.ends_with("one"), "{told}");
    }

    #[test]
    fn a_program_that_hangs_is_ended() {
        // A fifo that nobody writes to is waited for, for ever.
        let folder = tempfile::tempdir().expect("a folder");
        let script = format!("mkfifo {0}/f; read line < {0}/f", folder.path().display());
        let ended = Program::new("sh").arguments(["-c", &script]).run(SECOND).expect_err("no end");
        assert!(matches!(ended, ProgramError::Time { .. }), "{ended}");
    }

    #[test]
    fn a_program_that_is_not_there_is_named() {
        let failed = Program::new("berth-no-such-program").run(SECOND).expect_err("no such program");
        assert!(failed.to_string().contains("berth-no-such-program"), "{failed}");
    }
}
