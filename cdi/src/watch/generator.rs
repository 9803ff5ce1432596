//! One generation, by a program of its own.
//!
//! The driver's library is loaded into that program and leaves with it: an upgraded driver is met by its own library,
//! no descriptor of this process keeps a driver from being unloaded, and a library that crashes or hangs ends or stops
//! the program alone.

#![expect(clippy::disallowed_types, reason = "starts the generating program")]

use std::{
    io,
    process::{Child, Command, Output, Stdio},
    sync::mpsc,
    thread,
    time::Duration,
};

/// A program that prints a spec on its standard output, and what operators should know on its standard error.
#[derive(Debug)]
pub struct Generator {
    command: Command,
    deadline: Duration,
}

/// What it printed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Made {
    /// The spec.
    pub spec: Vec<u8>,
    /// Lines for operators.
    pub notes: Vec<String>,
}

/// Why there is no spec.
#[derive(Debug, thiserror::Error)]
pub enum GeneratorError {
    /// It could not be started.
    #[error("cannot start the generation; check the limit of processes and free memory")]
    Start(#[source] io::Error),
    /// It ended without a spec.
    #[error("{0}")]
    Failed(String),
    /// It did not end.
    #[error("the generation did not end within {} s; look for a hung gpu with dmesg, and reset it or reboot", .0.as_secs_f32())]
    Deadline(Duration),
}

impl Generator {
    /// Generations by `command`, each ended after `deadline`.
    #[must_use]
    pub fn new(mut command: Command, deadline: Duration) -> Self {
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        Self { command, deadline }
    }

    /// Runs it once.
    ///
    /// # Errors
    /// [`GeneratorError`]; what it printed on standard error is the text of [`GeneratorError::Failed`].
    pub fn run(&mut self) -> Result<Made, GeneratorError> {
        let child = self.command.spawn().map_err(GeneratorError::Start)?;
        let output = self.collect(child)?;
        let notes = lines(&output.stderr);
        if output.status.success() {
            return Ok(Made { spec: output.stdout, notes });
        }
        let told = if notes.is_empty() { output.status.to_string() } else { notes.join("; ") };
        Err(GeneratorError::Failed(told))
    }

    /// A thread waits for what is printed, because a program that hangs in the driver may not even end when killed:
    /// then it, and the thread, are left to the kernel.
    fn collect(&self, mut child: Child) -> Result<Output, GeneratorError> {
        let (sender, receiver) = mpsc::channel();
        let (out, err) = (child.stdout.take(), child.stderr.take());
        let work = move || {
            // Nobody listens any more after the deadline.
            drop(sender.send(read_both(out, err)));
        };
        drop(thread::Builder::new().name("generation".into()).spawn(work).map_err(GeneratorError::Start)?);
        match receiver.recv_timeout(self.deadline) {
            Ok(Ok((stdout, stderr))) => {
                let status = child.wait().map_err(GeneratorError::Start)?;
                Ok(Output { status, stdout, stderr })
            }
            Ok(Err(error)) => Err(GeneratorError::Start(error)),
            Err(_) => {
                // It may have ended meanwhile; it is collected if it has, and by init otherwise.
                drop(child.kill());
                drop(child.try_wait());
                Err(GeneratorError::Deadline(self.deadline))
            }
        }
    }
}

/// Both to their ends; a second thread keeps a program that prints much on one from waiting for the other.
fn read_both(
    out: Option<impl io::Read>,
    err: Option<impl io::Read + Send + 'static>,
) -> io::Result<(Vec<u8>, Vec<u8>)> {
    let notes = thread::spawn(move || read(err));
    let spec = read(out)?;
    let notes = notes.join().map_err(|_panic| io::Error::other("the reading thread ended"))??;
    Ok((spec, notes))
}

fn read(pipe: Option<impl io::Read>) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if let Some(mut pipe) = pipe {
        pipe.read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

fn lines(text: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(text);
    text.lines().map(str::trim).filter(|line| !line.is_empty()).map(ToOwned::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn generator(script: &str, deadline: Duration) -> Generator {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        Generator::new(command, deadline)
    }

    const LONG: Duration = Duration::from_secs(60);

    #[test]
    fn a_spec_and_notes_are_told_apart_however_long_they_are() {
        let mut generator =
            generator("head -c 300000 /dev/zero; for i in $(seq 9000); do echo note $i >&2; done", LONG);
        for _repeat in 0..2 {
            let made = generator.run().expect("a spec");
            assert_eq!((made.spec.len(), made.notes.len()), (300_000, 9000));
        }
    }

    #[test]
    fn a_failure_is_told_in_the_programs_own_words() {
        let error =
            generator("echo spec; echo 'error: no driver' >&2; exit 3", LONG).run().expect_err("a failure");
        assert_eq!(error.to_string(), "error: no driver");
        let error = generator("kill -SEGV $$", LONG).run().expect_err("a crash");
        assert!(error.to_string().contains("signal: 11"), "{error}");
    }

    #[test]
    fn a_program_that_hangs_is_ended_at_its_deadline() {
        let error = generator("exec sleep 600", Duration::from_millis(50)).run().expect_err("a hang");
        assert!(matches!(error, GeneratorError::Deadline(_)), "{error}");
        let error = Generator::new(Command::new("/nonexistent"), LONG).run().expect_err("no program");
        assert!(matches!(error, GeneratorError::Start(_)), "{error}");
    }
}
