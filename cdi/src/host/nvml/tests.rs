//! Names, and libraries that are none; the whole way is tested on the simulated node.

use super::{read::has_graphics, *};

#[test]
fn graphics_is_told_by_the_profile_alone() {
    for (name, wanted) in [
        ("NVIDIA RTX PRO 6000 Blackwell Server Edition MIG 1g.24gb+gfx", true),
        ("NVIDIA RTX PRO 6000 Blackwell Server Edition MIG 1c.2g.48gb+gfx", true),
        ("NVIDIA RTX PRO 6000 Blackwell Server Edition MIG 1g.24gb", false),
        ("NVIDIA A100-SXM4-40GB MIG 1g.5gb+me", false),
        ("NVIDIA gfx+gfx", false),
        ("", false),
    ] {
        assert_eq!(has_graphics(name), wanted, "{name}");
    }
}

#[test]
fn what_is_no_library_is_named_with_what_to_do() {
    let error = ask(Path::new("/proc/self/status"), Duration::from_secs(30)).expect_err("no library");
    let text = error.to_string();
    assert!(text.starts_with("cannot load /proc/self/status ("), "{text}");
    assert!(text.ends_with("install the driver's user-space libraries again"), "{text}");
}
