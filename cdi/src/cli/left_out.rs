//! What NVIDIA's command line has and this one has not: answered with what to use instead.

use std::ffi::OsString;

/// Commands and flags that are answered instead of done.
const ANSWERS: [(&str, &str); 4] = [
    (
        "--config",
        "there is no config.toml of the toolkit here; give the roots by --driver-root and --dev-root",
    ),
    (
        "transform",
        "roots are set when a spec is made; generate it with --driver-root, --dev-root or --host-root",
    ),
    ("create-device-nodes", "run nvidia-modprobe -c 0 -u, which the driver brings along"),
    ("create-dev-char-symlinks", "device numbers are looked up by the runtime; no links are needed"),
];

/// The answer to the first argument that is left out here, if there is one.
pub(super) fn advice(arguments: &[OsString]) -> Option<String> {
    let words = arguments.iter().skip(1).filter_map(|argument| argument.to_str());
    words.take_while(|word| *word != "--").find_map(|word| {
        let name = word.split_once('=').map_or(word, |(name, _)| name);
        let (_, answer) = ANSWERS.iter().find(|(left_out, _)| *left_out == name)?;
        Some(format!("{name} is not part of berth-cdi: {answer}"))
    })
}

/// The arguments without the group `cdi`, so that `nvidia-ctk cdi generate` becomes `berth-cdi cdi generate`.
pub(super) fn without_group(mut arguments: Vec<OsString>) -> Vec<OsString> {
    if arguments.get(1).is_some_and(|group| group == "cdi") {
        arguments.remove(1);
    }
    arguments
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<OsString> {
        line.split(' ').map(OsString::from).collect()
    }

    #[test]
    fn what_is_left_out_is_answered_by_its_name() {
        for (line, start) in [
            ("berth-cdi generate --config=/etc/x.toml", "--config is not part of berth-cdi: "),
            ("berth-cdi transform root --from / --to /host", "transform is not part of berth-cdi: "),
        ] {
            assert!(advice(&words(line)).expect("an answer").starts_with(start));
        }
        assert_eq!(advice(&words("berth-cdi generate --configs")), None);
    }

    #[test]
    fn the_group_of_nvidias_program_may_stay() {
        assert_eq!(without_group(words("berth-cdi cdi list")), words("berth-cdi list"));
        assert_eq!(without_group(words("berth-cdi list cdi")), words("berth-cdi list cdi"));
    }
}
