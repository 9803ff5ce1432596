//! Why Berth's spec differs.

use super::{Difference, Side, Topic};

/// One kind of difference with its reason. Empty words match anything.
struct Rule {
    side: Side,
    topic: Topic,
    /// What the fact's text starts with.
    start: &'static str,
    /// What stands in it.
    within: &'static str,
    /// What it ends with.
    end: &'static str,
    why: &'static str,
}

const fn rule(side: Side, topic: Topic, start: &'static str, end: &'static str, why: &'static str) -> Rule {
    Rule { side, topic, start, within: "", end, why }
}

const ONE_HOOK: &str = "one process does the work of all hooks, once a container";
const OLD_READERS: &str = "no groups: podman 4 can read the file; `--additional-gids` adds them";
const KIND: &str = "each family has a kind of its own, so that specs of two modes can stand beside each other; `--class` and \
                    `--vendor` change it";
const BY_PATH: &str = "made by the one hook where the node is in the container";
const RESOLVED: &str = "named as the file it is, with every link followed inside the driver's root, so that a link that \
                        changes later cannot lead elsewhere";
const MPS: &str = "NVIDIA's search takes no folder, and the daemon's pipes lie in one";
const HOST_SOCKETS: &str = "daemons run on the host, also where the driver's files lie elsewhere";

const SONAME: &str = "the name that programs ask for; NVIDIA leaves it to ldconfig";
const XORG: &str = "Debian's X server looks for the module by this name, which alternatives lead to";

const VERSIONED: &str = "found by the name that programs ask for, too; NVIDIA looks for the development name alone, which few \
                         packages have";

const RULES: &[Rule] = &[
    rule(Side::Berth, Topic::Processes, "", "", ONE_HOOK),
    rule(Side::Nvidia, Topic::Processes, "", "", ONE_HOOK),
    rule(Side::Berth, Topic::Version, "", "", OLD_READERS),
    rule(Side::Nvidia, Topic::Version, "", "", OLD_READERS),
    rule(Side::Nvidia, Topic::Group, "", "", OLD_READERS),
    rule(Side::Berth, Topic::Kind, "", "", KIND),
    rule(Side::Nvidia, Topic::Kind, "", "", KIND),
    rule(
        Side::Nvidia,
        Topic::Numbers,
        "",
        "",
        "the runtime looks when the container starts: numbers that were written down are wrong after a driver reload; \
         `--device-numbers` adds them",
    ),
    rule(
        Side::Nvidia,
        Topic::Action,
        "limits of CUDA memory",
        "",
        "the container's own environment sets that limit, so that it holds nobody back; what a container may have is \
         decided where devices are allocated",
    ),
    rule(Side::Berth, Topic::Link, "/dev/dri/by-path/", "if there", BY_PATH),
    rule(Side::Nvidia, Topic::Link, "/dev/dri/by-path/", "", BY_PATH),
    rule(
        Side::Nvidia,
        Topic::Link,
        "/opt/dev-root/dev/dri/by-path/",
        "",
        "a container has /dev, wherever the host keeps its nodes; Berth makes these links there",
    ),
    rule(Side::Berth, Topic::Origin, "", "", RESOLVED),
    rule(Side::Nvidia, Topic::Origin, "", "", RESOLVED),
    rule(Side::Berth, Topic::Mount, "/tmp/nvidia-mps", "", MPS),
    rule(Side::Berth, Topic::Options, "/tmp/nvidia-mps", "", MPS),
    rule(Side::Berth, Topic::Mount, "/run/nvidia-", "/socket", HOST_SOCKETS),
    rule(Side::Berth, Topic::Options, "/run/nvidia-", "", HOST_SOCKETS),
    rule(Side::Berth, Topic::Mount, "/usr/lib64/libnvidia-api.so.1", "", VERSIONED),
    rule(Side::Berth, Topic::Options, "/usr/lib64/libnvidia-api.so.1", "", VERSIONED),
    rule(Side::Berth, Topic::Mount, "/usr/lib/xorg/", "", XORG),
    rule(Side::Berth, Topic::Options, "/usr/lib/xorg/", "", XORG),
    rule(
        Side::Berth,
        Topic::Link,
        "/usr/lib/x86_64-linux-gnu/gbm/",
        "",
        "where the distribution's libgbm looks, not only the driver's own folder",
    ),
    Rule { within: " -> lib", ..rule(Side::Berth, Topic::Link, "", "", SONAME) },
    rule(
        Side::Nvidia,
        Topic::Link,
        "/usr/lib/aarch64-linux-gnu/nvidia/libcuda.so",
        "",
        "NVIDIA makes this link twice, with two targets that lead to one file; Berth makes it once",
    ),
];

/// All reasons, each once, in the order of the document.
#[must_use]
pub fn reasons() -> Vec<&'static str> {
    let mut all: Vec<&str> = Vec::new();
    for rule in RULES {
        if !all.contains(&rule.why) {
            all.push(rule.why);
        }
    }
    all
}

/// The reason of a difference; `None` means that it is not known, and is a fault of Berth or of this list.
#[must_use]
pub fn reason(difference: &Difference) -> Option<&'static str> {
    let Difference { side, fact } = difference;
    let text = fact.text.as_str();
    let holds = |rule: &&Rule| {
        rule.side == *side
            && rule.topic == fact.topic
            && text.starts_with(rule.start)
            && text.contains(rule.within)
            && text.ends_with(rule.end)
    };
    RULES.iter().find(holds).map(|rule| rule.why)
}
