//! What the library itself costs: to be taken off a program's own time.
#![expect(clippy::disallowed_methods, reason = "time is measured")]

use std::time::Instant;

use super::client::{Answer, Client};

/// One line: nanoseconds of the first `nvmlInit`, of what a generator asks of all GPUs, and of one
/// plain call.
pub(crate) fn measure(client: &Client) -> Answer {
    let start = Instant::now();
    client.init()?;
    let init = start.elapsed().as_nanos();
    let count = client.number_of_gpus()?;
    let start = Instant::now();
    for gpu in 0..count {
        client.describe(gpu)?;
    }
    let all = start.elapsed().as_nanos();
    let start = Instant::now();
    for _call in 0..1000 {
        client.number_of_gpus()?;
    }
    let call = start.elapsed().as_nanos() / 1000;
    Ok(format!("init {init} describe-all {all} call {call}"))
}
