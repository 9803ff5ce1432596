//! What apt says of packages: which version it would take, and what else they need.

/// A package at the version that the suite has.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub(super) struct Package {
    pub(super) name: String,
    pub(super) version: String,
}

/// The packages in `apt-cache show`'s answer, in its order.
pub(super) fn packages(shown: &str) -> Vec<Package> {
    let paragraphs = shown.split("\n\n");
    let field = |paragraph: &str, name: &str| {
        let values = paragraph.lines().filter_map(|line| line.strip_prefix(name));
        values.map(|value| value.trim().to_owned()).next()
    };
    let package = |paragraph: &str| {
        Some(Package { name: field(paragraph, "Package:")?, version: field(paragraph, "Version:")? })
    };
    paragraphs.filter_map(package).collect()
}

/// The packages that `apt-get --simulate install` would add to the machine: `Inst NAME (VERSION ...)`.
pub(super) fn added(simulated: &str) -> Vec<String> {
    let lines = simulated.lines().filter_map(|line| line.strip_prefix("Inst "));
    lines.filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect()
}

/// Names of `wanted` that are not among `found`.
pub(super) fn missing(wanted: &[String], found: &[Package]) -> Vec<String> {
    wanted.iter().filter(|name| found.iter().all(|package| package.name != **name)).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHOWN: &str = "Package: runc\nSource: x\nVersion: 1.1.5+ds1-1\n\nPackage: crun\nVersion: 1.8\n\n";

    #[test]
    fn each_paragraph_is_a_package() {
        let told: Vec<_> = packages(SHOWN).into_iter().map(|found| (found.name, found.version)).collect();
        assert_eq!(told, [("runc".into(), "1.1.5+ds1-1".into()), ("crun".into(), "1.8".into())]);
        assert_eq!(missing(&["crun".into(), "podman".into()], &packages(SHOWN)), ["podman"]);
    }

    #[test]
    fn what_would_be_installed_is_what_is_needed_besides() {
        let simulated =
            "NOTE: ...\nInst libyajl2 (2.1.0-3 Debian [amd64])\nInst crun (1.8 D [amd64])\nConf crun (1)\n";
        assert_eq!(added(simulated), ["libyajl2", "crun"]);
    }
}
