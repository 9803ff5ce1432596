//! What the simulated NVML itself costs: it is in the figures of both programs.
#![expect(clippy::disallowed_types, reason = "runs the client that measures it")]

use std::{
    io::Write as _,
    process::{Command, Stdio},
};

use berth_node::nvml;

use super::{BenchError, Programs, Simulated};

/// A line on what loading, starting and asking the library costs a program on the node of `simulated`.
///
/// # Errors
/// [`BenchError`] when the client cannot be run.
pub fn library(name: &str, programs: &Programs, simulated: &Simulated) -> Result<String, BenchError> {
    let (client, nvml) = (programs.nvml_client.clone(), programs.nvml.clone());
    let state = simulated.node().root().join(nvml::FOLDER);
    let failed = BenchError::file(&client);
    let mut command = Command::new(&client);
    command.arg(nvml).env("BERTH_FAKE_NVML_STATE", state).stdin(Stdio::piped()).stdout(Stdio::piped());
    let answer = command.spawn().and_then(|mut child| {
        child.stdin.take().map(|mut pipe| pipe.write_all(b"time\n")).transpose()?;
        child.wait_with_output()
    });
    let answer = String::from_utf8_lossy(&answer.map_err(failed)?.stdout).into_owned();
    let mut figures = answer.split_whitespace().filter_map(|word| word.parse::<f64>().ok());
    let mut next = || figures.next().map_or(f64::NAN, |nanoseconds| nanoseconds / 1e6);
    let (init, queries) = (next(), next());
    Ok(format!("{name}: the simulated NVML alone {init:.2} ms to start, {queries:.2} ms for all queries"))
}
