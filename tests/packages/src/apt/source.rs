//! Where packages come from: the mirror that the machine itself uses.

use std::{path::Path, time::Duration};

use crate::{
    program::{Program, ProgramError},
    suite::Suite,
};

/// Debian's own keys, as its package of keyrings lays them down.
const KEYRING: &str = "/usr/share/keyrings/debian-archive-keyring.gpg";
const FORMAT: &str = "$(REPO_URI) $(RELEASE) $(COMPONENT)";
const COMPONENTS: &str = "main contrib non-free non-free-firmware";

/// No mirror to fetch from.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// apt could not be asked.
    #[error("cannot ask apt for its sources")]
    Apt(#[from] ProgramError),
    /// It has no source of a suite of Debian.
    #[error("apt has no source of Debian to take a mirror from; add one to /etc/apt/sources.list.d")]
    NoMirror,
}

/// The line of a source list for `suite`, on the machine's own mirror.
pub(super) fn line(suite: Suite) -> Result<String, SourceError> {
    let asked = Program::new("apt-get").arguments(["indextargets", "--format", FORMAT]);
    let told = asked.run(Duration::from_secs(60))?;
    let mirror = mirror(&told).ok_or(SourceError::NoMirror)?;
    let keyring = Path::new(KEYRING).exists().then_some(KEYRING);
    Ok(render(mirror, suite, keyring))
}

/// The mirror among the lines `URI RELEASE COMPONENT` of apt's index targets.
fn mirror(targets: &str) -> Option<&str> {
    let debian = |release: &str| {
        let named = |name: &str| release == name || release.strip_suffix("-updates") == Some(name);
        Suite::ALL.iter().any(|suite| named(suite.name()))
            || ["stable", "testing", "unstable"].map(named).contains(&true)
    };
    targets.lines().find_map(|line| {
        let mut words = line.split_whitespace();
        let (uri, release, component) = (words.next()?, words.next()?, words.next()?);
        (component == "main" && debian(release)).then_some(uri)
    })
}

fn render(mirror: &str, suite: Suite, keyring: Option<&str>) -> String {
    let signed = keyring.map(|path| format!("[signed-by={path}] ")).unwrap_or_default();
    format!("deb {signed}{mirror} {suite} {COMPONENTS}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mirror_is_that_of_a_suite_of_debian() {
        let targets = "http://node.example/ nodistro main\nhttp://a.example/debian-security/ bookworm-security main\n\
                       http://b.example/debian/ bookworm contrib\nhttp://b.example/debian/ bookworm-updates main\n";
        assert_eq!(mirror(targets), Some("http://b.example/debian/"));
        assert_eq!(mirror("http://b.example/ubuntu/ noble main\n\n"), None);
    }

    #[test]
    fn a_source_is_held_to_the_machines_keyring() {
        let rendered = render("http://b.example/debian/", Suite::Sid, Some("/k.gpg"));
        assert_eq!(
            rendered,
            "deb [signed-by=/k.gpg] http://b.example/debian/ sid main contrib non-free non-free-firmware\n"
        );
    }
}
