//! What a generation means for the file.
//!
//! A good file is replaced by a good one alone. While the driver is there and does not answer, or is away for a reload
//! or an upgrade, the old file stays, with a warning: it is most likely true again in a moment, and a missing file fails
//! all containers where a stale one fails some. Only a driver that stays away takes its file with it.

use crate::spec::{Format, Spec, validate};

use super::{decide::Outcome, generator::Made};

/// What to do with the file, and what to say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// For the state machine.
    pub outcome: Outcome,
    /// The new content, where it differs from what is there.
    pub write: Option<Vec<u8>>,
    /// For operators: one lower-case line.
    pub line: String,
    /// What was left out, for operators.
    pub notes: Vec<String>,
}

/// What there is to judge.
#[derive(Debug)]
pub struct Case<'a> {
    /// The generation's result, a failure in words.
    pub made: Result<Made, String>,
    /// How the spec is written.
    pub format: Format,
    /// What the file holds now.
    pub old: Option<&'a [u8]>,
    /// Whether a driver is loaded, or its user land is on its way to be: see [`super::presence`].
    pub driver: bool,
}

/// Judges one generation.
#[must_use]
pub fn judge(case: Case<'_>) -> Verdict {
    let made = case.made.and_then(|made| read(&made.spec, case.format).map(|spec| (spec, made)));
    match made {
        Ok((spec, made)) => good(&spec, made, case.old),
        Err(reason) => {
            let outcome = if case.driver { Outcome::Failed } else { Outcome::NoDriver };
            let kept = if case.old.is_some() { "; the old file stays" } else { "" };
            Verdict {
                outcome,
                write: None,
                line: format!(
                    "warning: no new spec{kept}: {}",
                    reason.strip_prefix("error: ").unwrap_or(&reason)
                ),
                notes: Vec::new(),
            }
        }
    }
}

fn good(spec: &Spec, made: Made, old: Option<&[u8]>) -> Verdict {
    let same = old == Some(made.spec.as_slice());
    let notes: Vec<String> = made.notes.into_iter().filter(|note| note.starts_with("warning: ")).collect();
    let outcome = match same {
        _ if !notes.is_empty() => Outcome::Partial,
        true => Outcome::Same,
        false => Outcome::True,
    };
    let devices = if spec.devices.len() == 1 { "device" } else { "devices" };
    let done = if same { "unchanged" } else { "written" };
    let left = if notes.is_empty() { String::new() } else { format!(", {} left out", notes.len()) };
    let line = format!("{} {devices}, {done}{left}", spec.devices.len());
    Verdict { outcome, write: (!same).then_some(made.spec), line, notes }
}

fn read(bytes: &[u8], format: Format) -> Result<Spec, String> {
    let spec = Spec::parse(bytes, format).map_err(|error| error.to_string())?;
    validate(&spec).map_err(|error| error.to_string())?;
    Ok(spec)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::samples::full;

    fn case(made: Result<&str, &str>, old: Option<&'static str>, driver: bool) -> Verdict {
        let made = made.map(|spec| Made {
            spec: spec.into(),
            notes: vec!["warning: gpu 3 is lost".into(), "debug: mode nvml".into()],
        });
        judge(Case {
            made: made.map_err(Into::into),
            format: Format::Yaml,
            old: old.map(str::as_bytes),
            driver,
        })
    }

    #[test]
    fn a_good_spec_is_written_once_and_tells_what_was_left_out() {
        let spec = full().render(Format::Yaml);
        let verdict = case(Ok(&spec), Some("old"), true);
        assert_eq!((verdict.outcome, verdict.write), (Outcome::Partial, Some(spec.clone().into_bytes())));
        assert_eq!((verdict.line.as_str(), verdict.notes.len()), ("1 device, written, 1 left out", 1));
        let again = judge(Case {
            made: Ok(Made { spec: spec.clone().into(), notes: vec![] }),
            format: Format::Yaml,
            old: Some(spec.as_bytes()),
            driver: true,
        });
        let line = "1 device, unchanged".into();
        assert_eq!(again, Verdict { outcome: Outcome::Same, write: None, line, notes: vec![] });
    }

    #[test]
    fn nothing_but_a_good_spec_ever_takes_the_place_of_a_file() {
        let mut empty = full();
        empty.devices.clear();
        for spec in ["", "---\n", "half a sp", &empty.render(Format::Yaml)] {
            let verdict = case(Ok(spec), Some("old"), true);
            assert_eq!((verdict.outcome, &verdict.write), (Outcome::Failed, &None), "{}", verdict.line);
            assert!(
                verdict.line.starts_with("warning: no new spec; the old file stays: "),
                "{}",
                verdict.line
            );
        }
    }

    #[test]
    fn a_failure_without_a_driver_is_an_absence() {
        assert_eq!(case(Err("no libcuda"), Some("old"), false).outcome, Outcome::NoDriver);
        assert_eq!(case(Err("error: no answer"), None, true).line, "warning: no new spec: no answer");
    }
}
