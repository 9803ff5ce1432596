//! The process that runs and measures: reads [`Work`] from its standard input, writes [`Cost`] to its output.
#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "measures programs")]

use std::{
    fs,
    io::{self, Read as _, Write as _},
    os::unix::process::CommandExt as _,
    path::Path,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use nix::{
    mount::{MsFlags, mount},
    sched::{CloneFlags, unshare},
    sys::{
        resource::{UsageWho, getrusage},
        time::{TimeVal, TimeValLike as _},
    },
};

use super::{Call, Cost, Work};

/// The argument that makes a program the worker.
pub const WORKER: &str = "measure-worker";

/// Does the work that the standard input tells of.
///
/// # Errors
/// What failed, in words: the work is not a document, or a program failed, with what it said.
pub fn serve() -> Result<(), String> {
    let mut text = String::new();
    io::stdin().read_to_string(&mut text).map_err(|error| format!("cannot read the work: {error}"))?;
    let work: Work =
        serde_json::from_str(&text).map_err(|error| format!("the work is malformed: {error}"))?;
    let cost = measure(&work)?;
    let told = serde_json::to_string(&cost).map_err(|error| error.to_string())?;
    io::stdout().write_all(told.as_bytes()).map_err(|error| error.to_string())
}

fn measure(work: &Work) -> Result<Cost, String> {
    if let Some(folder) = &work.mount {
        alone(folder).map_err(|errno| format!("cannot mount {}: {errno}", folder.display()))?;
    }
    let floor_kib = own_peak();
    let mut wall = Duration::ZERO;
    for call in &work.calls {
        wall += one(call, &work.input)?;
    }
    let used =
        getrusage(UsageWho::RUSAGE_CHILDREN).map_err(|errno| format!("cannot ask what was used: {errno}"))?;
    let time =
        |value: TimeVal| Duration::from_micros(u64::try_from(value.num_microseconds()).unwrap_or_default());
    let peak_kib = u64::try_from(used.max_rss()).unwrap_or_default();
    Ok(Cost { wall, cpu: time(used.user_time()) + time(used.system_time()), peak_kib, floor_kib })
}

/// The most memory that this process held since it became this program (proc_pid_status(5)), in KiB. What
/// getrusage(2) tells of a process is also what its starter held.
fn own_peak() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    peak.and_then(|text| text.trim().trim_end_matches(" kB").parse().ok()).unwrap_or_default()
}

/// A mount namespace of this process alone, in which `folder` is a mount.
fn alone(folder: &Path) -> nix::Result<()> {
    const NONE: Option<&str> = None;
    unshare(CloneFlags::CLONE_NEWNS)?;
    mount(NONE, "/", NONE, MsFlags::MS_REC | MsFlags::MS_PRIVATE, NONE)?;
    mount(Some(folder), folder, NONE, MsFlags::MS_BIND | MsFlags::MS_REC, NONE)
}

fn one(call: &Call, input: &str) -> Result<Duration, String> {
    let (name, arguments) = call.words.split_first().ok_or("a call without a program")?;
    let file = call.file.clone().unwrap_or_else(|| name.into());
    let mut command = Command::new(&file);
    command.arg0(name).args(arguments).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
    if let Some(environment) = &call.environment {
        command.env_clear().envs(environment.iter().map(|(name, value)| (name, value)));
    }
    let failed = |error: io::Error| format!("{}: {error}", file.display());
    let start = Instant::now();
    let mut child = command.spawn().map_err(failed)?;
    if let Some(mut pipe) = child.stdin.take() {
        // One that does not read its input is no failure.
        drop(pipe.write_all(input.as_bytes()));
    }
    let output = child.wait_with_output().map_err(failed)?;
    let took = start.elapsed();
    if output.status.success() {
        return Ok(took);
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(format!("{} ({}): {}", call.words.join(" "), output.status, said.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(words: &[&str]) -> Call {
        Call { words: words.iter().map(|word| (*word).to_owned()).collect(), ..Call::default() }
    }

    #[test]
    fn calls_in_a_row_get_the_input_and_their_own_environment() {
        let script = "read x; test \"$x\" = in && test \"$A\" = 1 && test -z \"$HOME\"";
        let environment = Some(vec![("A".into(), "1".into()), ("PATH".into(), "/usr/bin:/bin".into())]);
        let one = Call { environment, ..call(&["sh", "-c", script]) };
        let cost = measure(&Work { calls: vec![one.clone(), one], input: "in\n".into(), mount: None });
        assert!(cost.expect("done").peak_kib > 0);
    }

    #[test]
    fn a_program_that_fails_is_told_with_its_words() {
        let failed =
            measure(&Work { calls: vec![call(&["sh", "-c", "echo no >&2; exit 3"])], ..Work::default() });
        let told = failed.expect_err("a failure");
        assert!(told.contains("exit status: 3") && told.ends_with("no"), "{told}");
    }
}
