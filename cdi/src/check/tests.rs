//! Each rule once, on data; then the whole on a real tree.

#![expect(clippy::disallowed_methods, reason = "a temporary folder is the host")]

use std::{
    fs,
    os::unix::fs::{MetadataExt, PermissionsExt},
    path::{Path, PathBuf},
};

use super::*;

const ROOT: Expect = Expect { kata: false, owner: 0 };

/// A true spec of one GPU.
const GOOD: &str = r#"---
cdiVersion: "0.5.0"
kind: nvidia.com/gpu
devices:
- name: "0"
  containerEdits:
    deviceNodes:
    - path: /dev/nvidia0
containerEdits:
  deviceNodes:
  - path: /dev/nvidiactl
  - path: /dev/nvidia-uvm
  mounts:
  - hostPath: /usr/lib/libcuda.so.550
    containerPath: /usr/lib/libcuda.so.550
  hooks:
  - hookName: createContainer
    path: /usr/bin/berth-cdi-hook
    env: [BERTH_CDI_HOOK_DEBUG=false]
"#;

fn file(path: &str, content: &str) -> SpecFile {
    SpecFile { path: path.into(), mode: 0o644, uid: 0, content: Ok(content.into()) }
}

fn folder(path: &str, files: &[(&str, &str)]) -> Folder {
    let files = files.iter().map(|(name, content)| file(&format!("{path}/{name}"), content)).collect();
    Folder { path: path.into(), mode: Some(0o755), uid: Some(0), files: Ok(files) }
}

fn found(kind: FileKind, mode: u32) -> Fact {
    Fact::Found(Found { kind, mode, uid: 0 })
}

/// The host on which [`GOOD`] is true.
fn facts() -> Facts {
    [
        ("/dev/nvidia0", found(FileKind::Char(195, 0), 0o666)),
        ("/dev/nvidiactl", found(FileKind::Char(195, 255), 0o666)),
        ("/dev/nvidia-uvm", found(FileKind::Char(235, 0), 0o666)),
        ("/usr/lib/libcuda.so.550", found(FileKind::File, 0o644)),
        ("/usr/bin/berth-cdi-hook", found(FileKind::File, 0o755)),
    ]
    .map(|(path, fact)| (path.to_owned(), fact))
    .into()
}

fn lines(folders: &[Folder], facts: &Facts, expect: &Expect) -> String {
    let found = findings(folders, &documents(folders), facts, expect);
    found.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

/// Findings of one file, in which `from` is replaced by `to`.
fn after(from: &str, to: &str) -> String {
    assert!(GOOD.contains(from), "{from}");
    lines(&[folder("/etc/cdi", &[("nvidia.yaml", &GOOD.replace(from, to))])], &facts(), &ROOT)
}

fn with_facts(change: impl FnOnce(&mut Facts)) -> String {
    let mut facts = facts();
    change(&mut facts);
    lines(&[folder("/etc/cdi", &[("nvidia.yaml", GOOD)])], &facts, &ROOT)
}

#[test]
fn a_true_spec_has_no_finding() {
    assert_eq!(with_facts(|_| {}), "");
}

#[test]
fn what_is_wrong_in_a_file_is_named_with_its_place() {
    let changes = [
        ("kind:", "kinds:"),
        ("cdiVersion: \"0.5.0\"", "cdiVersion: \"0.3.0\""),
        ("cdiVersion: \"0.5.0\"", "cdiVersion: \"0.7.0\""),
        ("    - path: /dev/nvidia0", "    - path: dev/nvidia0"),
        ("    - path: /dev/nvidia0", "    - path: /dev/nvidia0\n      major: 195\n      minor: 1"),
        ("    - path: /dev/nvidia0", "    - path: /dev/nvidia0\n      type: b"),
        ("    - path: /dev/nvidia0", "    - path: /dev/nvidia0\n      hostPath: /usr/lib/libcuda.so.550"),
        ("    - path: /dev/nvidia0", "    - path: /dev/dri/card0"),
        ("- name: \"0\"", "- name: \"0:1\""),
        ("    env: [BERTH_CDI_HOOK_DEBUG=false]", ""),
        ("  - path: /dev/nvidia-uvm\n", ""),
        (
            "  mounts:",
            "  mounts:\n  - {hostPath: /usr/bin/berth-cdi-hook, containerPath: /usr/lib/libcuda.so.550}",
        ),
    ];
    let all: Vec<_> = changes.iter().map(|(from, to)| after(from, to)).collect();
    assert!(all.iter().all(|lines| !lines.is_empty()));
    insta::assert_snapshot!(all.join("\n"));
}

#[test]
fn what_is_no_longer_true_on_the_host_is_named() {
    type Change = fn(&mut Facts);
    let changes: [Change; 7] = [
        |facts| drop(facts.insert("/dev/nvidia0".into(), Fact::Missing)),
        |facts| drop(facts.insert("/usr/lib/libcuda.so.550".into(), Fact::Missing)),
        |facts| drop(facts.insert("/usr/bin/berth-cdi-hook".into(), Fact::Missing)),
        |facts| drop(facts.insert("/usr/bin/berth-cdi-hook".into(), found(FileKind::File, 0o644))),
        |facts| drop(facts.insert("/usr/bin/berth-cdi-hook".into(), found(FileKind::File, 0o777))),
        |facts| drop(facts.insert("/usr/bin/berth-cdi-hook".into(), found(FileKind::Folder, 0o755))),
        |facts| drop(facts.insert("/dev/nvidia-uvm".into(), Fact::Unknown("too many links".into()))),
    ];
    let all: Vec<_> = changes.into_iter().map(with_facts).collect();
    assert!(all.iter().all(|lines| !lines.is_empty()));
    insta::assert_snapshot!(all.join("\n"));
}

#[test]
fn names_permissions_and_owners_count() {
    let mut open = folder("/var/run/cdi", &[("x.yaml", GOOD)]);
    open.mode = Some(0o777);
    let mut files =
        folder("/etc/cdi", &[("a.yml", ""), ("spec.123.tmp", ""), (".n.yaml.berth-new", ""), ("n.bak", "")]);
    let others = [
        ("closed.json", 0o600, 0, "{}"),
        ("writable.json", 0o666, 0, "{}"),
        ("theirs.json", 0o644, 1000, "{}"),
    ];
    let claim = GOOD.replace("nvidia.com/gpu", "berth/claim");
    let claim = [("claim.yaml", 0o600, 0, claim.as_str())];
    files.files.as_mut().expect("files").extend(others.into_iter().chain(claim).map(
        |(name, mode, uid, content)| SpecFile { mode, uid, ..file(&format!("/etc/cdi/{name}"), content) },
    ));
    let unread = SpecFile { content: Err("permission denied".into()), ..file("/etc/cdi/secret.json", "") };
    files.files.as_mut().expect("files").push(unread);
    let hidden = Folder { files: Err("too many links".into()), ..folder("/opt/cdi", &[]) };
    insta::assert_snapshot!(lines(&[files, open, hidden], &facts(), &ROOT));
}

#[test]
fn kata_turns_what_it_cannot_read_into_errors() {
    let vfio = GOOD
        .replace("    - path: /dev/nvidia0", "    - path: /dev/vfio/12\n    - path: /dev/vfio/devices/vfio0")
        .replace("\"0.5.0\"", "\"1.0.0\"");
    let folders = [folder("/etc/cdi", &[("pgpu.yaml", &vfio)])];
    let mut facts = facts();
    for node in ["/dev/vfio/12", "/dev/vfio/devices/vfio0"] {
        facts.insert(node.into(), found(FileKind::Char(240, 1), 0o600));
    }
    let plain = lines(&folders, &facts, &ROOT);
    let kata = lines(&folders, &facts, &Expect { kata: true, ..ROOT });
    assert!(plain.lines().all(|line| line.starts_with("warning")), "{plain}");
    assert!(kata.lines().all(|line| line.starts_with("error")), "{kata}");
    insta::assert_snapshot!(kata);
}

#[test]
fn a_clash_in_one_folder_hides_the_device_from_every_folder() {
    let peer = GOOD.replace("berth-cdi-hook", "nvidia-cdi-hook");
    let two = GOOD.replace("\"0\"", "\"1\"");
    let folders = [
        folder("/etc/cdi", &[("a.yaml", GOOD), ("b.yaml", &peer), ("broken.json", "{"), ("c.yaml", &two)]),
        folder("/var/run/cdi", &[("nvidia.yaml", GOOD), ("z.yaml", &two)]),
    ];
    let resolved = resolve(&documents(&folders));
    let offered: Vec<_> =
        resolved.devices.iter().map(|device| (device.name.as_str(), device.file.clone())).collect();
    assert_eq!(offered, [("nvidia.com/gpu=1", PathBuf::from("/var/run/cdi/z.yaml"))]);
    let rules: Vec<_> = resolved.findings.iter().map(|finding| finding.rule).collect();
    assert_eq!(rules, ["refused", "clash"]);
    let mut facts = facts();
    facts.insert("/usr/bin/nvidia-cdi-hook".into(), found(FileKind::File, 0o755));
    insta::assert_snapshot!(lines(&folders, &facts, &ROOT));
}

#[test]
fn a_program_that_writes_the_same_kind_elsewhere_is_named() {
    let peer = GOOD.replace("berth-cdi-hook", "nvidia-cdi-hook");
    let gds = GOOD.replace("nvidia.com/gpu", "nvidia.com/gds");
    let folders = [
        folder("/etc/cdi", &[("a.yaml", &gds), ("peer.yaml", &peer)]),
        folder("/run/cdi", &[("own.yaml", GOOD)]),
    ];
    let lines = rivals(&documents(&folders), Path::new("/run/cdi/own.yaml"));
    let line = "warning: nvidia.com/gpu is written to /etc/cdi/peer.yaml too by nvidia-ctk cdi generate \
                (nvidia-cdi-refresh.service); let one program write it";
    assert_eq!(lines, [line]);
    assert_eq!(rivals(&documents(&folders), Path::new("/run/cdi/not-yet.yaml")), [""; 0]);
}

#[test]
fn only_errors_change_the_exit_code() {
    let finding = |severity| Finding::new(severity, "x", Path::new("/a"), "b");
    let code = |severities: &[Severity]| {
        Report { files: 1, findings: severities.iter().map(|severity| finding(*severity)).collect() }
            .exit_code()
    };
    assert_eq!(code(&[]), 0);
    assert_eq!(code(&[Severity::Warning, Severity::Note]), 0);
    assert_eq!(code(&[Severity::Note, Severity::Error]), 1);
}

#[test]
fn text_from_a_file_cannot_steer_a_terminal() {
    let shown = Finding::new(Severity::Error, "x", Path::new("/a\x1b]0;"), "b\r\nc").to_string();
    assert_eq!(shown, "error: /a\\u{1b}]0;: b\\r\\nc");
}

/// A host in a temporary folder, with the driver's files and without its nodes.
fn host() -> (tempfile::TempDir, Root, Expect) {
    let tree = tempfile::tempdir().expect("a folder");
    for folder in ["etc/cdi/old", "var/run/cdi", "usr/bin", "usr/lib"] {
        fs::create_dir_all(tree.path().join(folder)).expect("a folder");
    }
    fs::write(tree.path().join("usr/lib/libcuda.so.550"), "").expect("a file");
    let hook = tree.path().join("usr/bin/berth-cdi-hook");
    fs::write(&hook, "").expect("a file");
    fs::set_permissions(&hook, fs::Permissions::from_mode(0o755)).expect("a mode");
    let owner = fs::metadata(tree.path()).expect("a folder").uid();
    let root = Root::new(tree.path()).expect("a root");
    (tree, root, Expect { kata: false, owner })
}

#[test]
fn a_host_without_specs_is_clean_and_offers_nothing() {
    let (_tree, root, expect) = host();
    let folders = DEFAULT_FOLDERS.map(Path::new);
    assert_eq!(check(&root, &folders, &expect), Report { files: 0, findings: vec![] });
    assert_eq!(list(&root, &[Path::new("/nonexistent")]).devices, []);
}

#[test]
fn a_tree_is_checked_as_the_host_that_it_is() {
    let (tree, root, expect) = host();
    let spec = tree.path().join("etc/cdi/nvidia.yaml");
    fs::write(&spec, GOOD).expect("a file");
    fs::write(tree.path().join("etc/cdi/old/x.yaml"), "not read").expect("a file");
    let report = check(&root, &DEFAULT_FOLDERS.map(Path::new), &expect);
    assert_eq!((report.files, report.exit_code()), (1, 1));
    let missing: Vec<_> =
        report.findings.iter().map(|finding| finding.place.as_deref().unwrap_or_default()).collect();
    assert_eq!(
        missing,
        [
            "containerEdits.deviceNodes[0]",
            "containerEdits.deviceNodes[1]",
            "devices[\"0\"].containerEdits.deviceNodes[0]"
        ]
    );
    let one = check_file(&root, Path::new("/etc/cdi/nvidia.yaml"), &expect);
    assert_eq!(one, report);
    assert_eq!(list(&root, &[Path::new("/etc/cdi")]).devices.len(), 1);
}

#[test]
fn a_real_device_is_known_by_its_numbers() {
    let host = Root::new("/").expect("a root");
    let facts = observe::facts(&host, &["/dev/null", "/dev", "/nonexistent"].map(String::from).into());
    let null = Found { kind: FileKind::Char(1, 3), mode: 0o666, uid: 0 };
    assert_eq!(facts.get("/dev/null"), Some(&Fact::Found(null)));
    assert!(matches!(facts.get("/dev"), Some(Fact::Found(Found { kind: FileKind::Folder, .. }))));
    assert_eq!(facts.get("/nonexistent"), Some(&Fact::Missing));
}

#[test]
fn a_pipe_or_a_loop_of_links_in_the_folder_holds_nothing_up() {
    let (tree, root, expect) = host();
    let folder = tree.path().join("etc/cdi");
    nix::unistd::mkfifo(&folder.join("pipe.json"), nix::sys::stat::Mode::S_IRWXU).expect("a pipe");
    std::os::unix::fs::symlink("loop.json", folder.join("loop.json")).expect("a link");
    std::os::unix::fs::symlink("gone.json", folder.join("dangling.json")).expect("a link");
    let report = check(&root, &[Path::new("/etc/cdi")], &expect);
    assert!(report.findings.iter().filter(|finding| finding.rule == "refused").count() == 3, "{report:?}");
}
