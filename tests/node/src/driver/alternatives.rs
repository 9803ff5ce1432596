//! The links of Debian's alternatives system, which maintainer scripts make on a real node.

use std::path::{Path, PathBuf};

use crate::{machine::DriverVersion, tree::Tree};

/// One alternative: `link` -> `/etc/alternatives/<name>` -> `path`.
struct Alternative {
    link: PathBuf,
    name: String,
    path: PathBuf,
}

/// Adds to `tree` the links of all alternatives whose file is in it.
///
/// Some of the paths are links that other alternatives make, so an alternative counts as there when
/// one before it made its path.
pub fn link(tree: &mut Tree, version: &DriverVersion) {
    for alternative in table(version) {
        if there(tree, &alternative.path) {
            let choice = Path::new("/etc/alternatives").join(&alternative.name);
            tree.link(&alternative.link, &choice);
            tree.link(choice, alternative.path);
        }
    }
}

fn there(tree: &Tree, path: &Path) -> bool {
    tree.get(path).is_some() || tree.iter().any(|(other, _)| other.parent() == Some(path))
}

fn table(version: &DriverVersion) -> impl Iterator<Item = Alternative> {
    let version = version.to_string();
    let lines = include_str!("../../data/alternatives.list").lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(move |line| {
        let line = line.replace("{V}", &version);
        let mut words = line.split(' ');
        Some(Alternative {
            link: words.next()?.into(),
            name: words.next()?.into(),
            path: words.next()?.into(),
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_library_gets_its_chain_of_links_and_an_absent_one_gets_none() {
        let mut tree = Tree::new();
        tree.text("/usr/lib/x86_64-linux-gnu/nvidia/current/libcuda.so.1", "");
        link(&mut tree, &DriverVersion::stand_in());
        assert_eq!(
            tree.to_string(),
            "/etc/alternatives/nvidia--libcuda.so.1-x86_64-linux-gnu -> \
             /usr/lib/x86_64-linux-gnu/nvidia/current/libcuda.so.1\n\
             /usr/lib/x86_64-linux-gnu/libcuda.so.1 -> \
             /etc/alternatives/nvidia--libcuda.so.1-x86_64-linux-gnu\n\
             /usr/lib/x86_64-linux-gnu/nvidia/current/libcuda.so.1\n"
        );
    }
}
