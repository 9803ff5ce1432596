//! What the program says of itself, and of what it doesn't do.

use crate::run::berth_cdi;

#[test]
fn help_is_written_for_operators() {
    for (name, arguments) in
        [("help", vec!["--help"]), ("generate", vec!["generate", "-h"]), ("check", vec!["check", "-h"])]
    {
        let ran = berth_cdi(&arguments, &[]);
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
        insta::assert_snapshot!(name, ran.out);
    }
}

#[test]
fn wrong_usage_is_answered_with_what_is_near() {
    for (arguments, said) in [
        (vec![], "Usage: berth-cdi [OPTIONS] <COMMAND>"),
        (vec!["generate", "--outptu", "x"], "tip: a similar argument exists: '--output'"),
        (vec!["genarate"], "tip: a similar subcommand exists: 'generate'"),
        (vec!["generate", "--mode", "vfio"], "mode \"vfio\" is not one of auto, nvml, management"),
        (vec!["generate", "--format", "toml"], "format \"toml\" is not json or yaml"),
        (vec!["generate", "--device-id", "gpu0"], "device id \"gpu0\" is not an index (0)"),
        (vec!["generate", "--device-name-strategy", "name"], "device name strategy \"name\" is not one of"),
        (vec!["generate", "--disable-hook", "ldconfig"], "hook \"ldconfig\" is not one of create-symlinks"),
        (vec!["generate", "--feature-flag", "fast"], "feature flag \"fast\" is not known"),
    ] {
        let ran = berth_cdi(&arguments, &[]);
        assert_eq!(ran.code, Some(2), "{arguments:?}");
        assert!(ran.err.contains(said) && ran.out.is_empty(), "{arguments:?}: {}", ran.err);
    }
}

#[test]
fn what_nvidias_program_has_besides_is_answered_with_what_to_use() {
    for (arguments, said) in [
        (vec!["generate", "--config", "/etc/x.toml"], "give the roots by --driver-root and --dev-root"),
        (vec!["cdi", "transform", "root", "--from", "/"], "generate it with --driver-root"),
        (vec!["system", "create-device-nodes"], "run nvidia-modprobe"),
    ] {
        let ran = berth_cdi(&arguments, &[]);
        assert_eq!(ran.code, Some(2), "{arguments:?}");
        assert!(ran.err.starts_with("error: ") && ran.err.contains(said), "{}", ran.err);
    }
}

#[test]
fn shells_and_man_are_served() {
    for (arguments, said) in [
        (vec!["completions", "bash"], "_berth__cdi()"),
        (vec!["completions", "zsh"], "#compdef berth-cdi"),
        (vec!["completions", "fish"], "complete -c berth-cdi"),
        (vec!["man"], ".TH"),
    ] {
        let ran = berth_cdi(&arguments, &[]);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        assert!(ran.out.contains(said) && ran.out.contains("generate"), "{arguments:?}");
    }
}
