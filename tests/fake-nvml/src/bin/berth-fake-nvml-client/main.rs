//! A client of an NVML library: takes commands, one a line, and answers each with one line.
//!
//! A process of its own for tests: `berth-fake-nvml-client LIBRARY`. It loads the library as any program does.
#![expect(clippy::print_stdout, reason = "the answers go to standard output")]
#![expect(unsafe_code, reason = "it calls a C library")]

mod client;
mod detail;
mod events;
mod timing;

use std::{
    env,
    io::{self, BufRead, Write},
};

use client::Client;
use nvml_wrapper_sys::bindings::NvmlLib;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = env::args_os().nth(1).ok_or("usage: berth-fake-nvml-client LIBRARY")?;
    // SAFETY: the tests name an NVML library; its constructors touch nothing of ours.
    let library = unsafe { NvmlLib::new(path) }?;
    let client = Client::new(library);
    for line in io::stdin().lock().lines() {
        let answer = match client.answer(&line?) {
            Ok(answer) => format!("ok {answer}"),
            Err(error) => format!("error {error}"),
        };
        println!("{}", answer.trim_end());
        io::stdout().flush()?;
    }
    Ok(())
}
