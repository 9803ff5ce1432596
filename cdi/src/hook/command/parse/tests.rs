//! Command lines as specs have them.

use super::*;

fn words(line: &str) -> Vec<String> {
    line.split_whitespace().map(str::to_owned).collect()
}

fn performed(line: &str) -> Request {
    match parse(&words(line)) {
        Ok(Command::Perform(request)) => request,
        other => panic!("{line}: {other:?}"),
    }
}

fn a_link(target: &str, link: &str) -> Link {
    Link { target: target.into(), link: link.into() }
}

#[test]
fn one_line_asks_for_everything() {
    let request = performed(
        "create-container --link libcuda.so.1::/usr/lib/libcuda.so --link=a::/b \
         --link-if-present ../card1::/dev/dri/by-path/pci-0000:01:00.0-card --folder /usr/lib --folder=/usr/lib64 \
         --host-driver-version 550.163.01 --host-cuda-version=12.4 --cuda-compat-container-root /usr/local/cuda/compat_orin \
         --disable-device-node-modification --update-application-profile",
    );
    let wanted = Request {
        links: vec![a_link("libcuda.so.1", "/usr/lib/libcuda.so"), a_link("a", "/b")],
        links_if_present: vec![a_link("../card1", "/dev/dri/by-path/pci-0000:01:00.0-card")],
        compat: Some(CompatRequest {
            host_driver: Some("550.163.01".into()),
            host_cuda: Some("12.4".into()),
            folder: "/usr/local/cuda/compat_orin".into(),
        }),
        cache: Some(vec!["/usr/lib".into(), "/usr/lib64".into()]),
        keep_device_nodes: true,
        application_profile: true,
    };
    assert_eq!(request, wanted);
}

#[test]
fn hooks_of_nvidia_are_understood() {
    let nothing = Request::default();
    for (line, wanted) in [
        ("create-symlinks --link a::/b", Request { links: vec![a_link("a", "/b")], ..nothing.clone() }),
        ("hook create-symlinks --link a::/b", Request { links: vec![a_link("a", "/b")], ..nothing.clone() }),
        (
            "update-ldcache --ldconfig-path /sbin/ldconfig",
            Request { cache: Some(Vec::new()), ..nothing.clone() },
        ),
        (
            "--debug update-ldcache --folder /usr/lib",
            Request { cache: Some(vec!["/usr/lib".into()]), ..nothing.clone() },
        ),
        (
            "enable-cuda-compat --host-driver-version=550.1",
            Request {
                compat: Some(CompatRequest { host_driver: Some("550.1".into()), ..CompatRequest::default() }),
                ..nothing.clone()
            },
        ),
        ("disable-device-node-modification", Request { keep_device_nodes: true, ..nothing.clone() }),
        ("update-application-profile", Request { application_profile: true, ..nothing }),
    ] {
        assert_eq!(performed(line), wanted, "{line}");
    }
}

#[test]
fn a_hook_of_another_version_stops_no_container() {
    for line in [
        "",
        "--quiet",
        "noop",
        "apply-cuda-memory-limits --gpu-id 0",
        "teleport --now",
        "chmod --mode 755 --path /dev/dri",
    ] {
        let command = parse(&words(line)).expect(line);
        assert!(matches!(command, Command::Nothing(_)), "{line}: {command:?}");
    }
}

#[test]
fn what_a_known_hook_does_not_have_is_an_error() {
    for (line, wanted) in [
        (
            "create-symlinks --folder /usr/lib",
            "create-symlinks has no flag --folder; generate the spec again with this version",
        ),
        ("create-symlinks --link", "--link wants a value"),
        ("create-symlinks a::/b", "create-symlinks takes flags alone, not \"a::/b\""),
        ("create-container --link a", "\"a\" is no link; write TARGET::/absolute/path/of/the/link"),
        ("create-container --link a::b", "\"a::b\" is no link; write TARGET::/absolute/path/of/the/link"),
        (
            "create-container --link a::/b/..",
            "\"a::/b/..\" is no link; write TARGET::/absolute/path/of/the/link",
        ),
        ("create-container --folder lib", "\"lib\" is no absolute path"),
        (
            "create-container --update-application-profile=maybe",
            "--update-application-profile is true or false, not \"maybe\"",
        ),
    ] {
        assert_eq!(parse(&words(line)).expect_err(line).to_string(), wanted);
    }
    assert_eq!(
        parse(&["create-container".into(), "--folder".into(), "/a\n/b".into()]),
        Err(CommandError::Folder("/a\n/b".into()))
    );
}
