//! Where packages come from: the mirror that the machine itself uses.

use std::{path::Path, time::Duration};

use crate::{
    program::{Program, ProgramError},
    suite::Suite,
};

/// Debian's own keys, as its package of keyrings lays them down.
const KEYRING: &str = "/usr/share/keyrings/debian-archive-keyring.gpg";
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

/// The line of a source list for `suite`, on the machine's own mirror. `empty` is a folder without lists: what apt
/// would fetch is asked for, and a machine may never have fetched anything.
pub(super) fn line(suite: Suite, empty: &Path) -> Result<String, SourceError> {
    let lists = format!("-oDir::State::Lists={}", empty.display());
    let asked = Program::new("apt-get").arguments(["update", "--print-uris", &lists]);
    let told = asked.run(Duration::from_secs(60))?;
    let mirror = mirror(&told).ok_or(SourceError::NoMirror)?;
    let keyring = Path::new(KEYRING).exists().then_some(KEYRING);
    Ok(render(mirror, suite, keyring))
}

/// The mirror among lines `'MIRROR/dists/SUITE/InRelease' ...` of what apt would fetch.
fn mirror(fetches: &str) -> Option<&str> {
    let names = Suite::ALL.map(Suite::name).into_iter().chain(["stable", "testing", "unstable"]);
    let ends: Vec<String> = names.map(|name| format!("/dists/{name}/InRelease'")).collect();
    let addresses = fetches.lines().filter_map(|line| line.split_whitespace().next()?.strip_prefix('\''));
    let mut mirrors = addresses.filter_map(|address| ends.iter().find_map(|end| address.strip_suffix(end)));
    mirrors.next()
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
        let fetches = "'http://node.example/dists/nodistro/InRelease' a 0\n\
                       'http://a.example/debian-security/dists/bookworm-security/InRelease' b 0\n\
                       'http://b.example/debian/dists/bookworm/InRelease' c 0 \n";
        assert_eq!(mirror(fetches), Some("http://b.example/debian"));
        assert_eq!(mirror("'http://b.example/ubuntu/dists/noble/InRelease' d 0\n\n"), None);
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
