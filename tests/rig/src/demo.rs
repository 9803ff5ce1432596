//! The demonstration: one container, with one GPU and one MIG device, on a node with eight GPUs.
//!
//! It shows what the container sees and what it does not, and holds both against what was asked for.

use std::{path::Path, time::Duration};

use berth_probe::{DeviceNode, Opened, Report};

use crate::{
    compare::{self, Nodes, Wanted},
    runtime::{self, Container, Runtime},
    station::{Station, StationError},
};

/// What the container asks for.
pub const DEVICES: [&str; 2] = ["0", "7:0"];
/// The node's GPUs.
pub const BOARDS: &str = "8xh100-sxm-80gb";
/// The last GPU is cut in three.
pub const MIG: [(u32, &[&str]); 1] = [(7, &["1g.10gb", "1g.10gb", "3g.40gb"])];
/// Where programs in a container find the simulated driver's state.
const STATE: &str = "/run/berth-node/nvml";
const LISTING: Duration = Duration::from_secs(60);

/// What `nvidia-smi -L` says on the node.
///
/// # Errors
/// [`StationError`].
pub fn on_the_node(station: &Station) -> Result<String, StationError> {
    station.run(berth_packages::Program::new("nvidia-smi").arguments(["-L"]), LISTING)
}

/// What `nvidia-smi -L` says in a container with [`DEVICES`].
///
/// # Errors
/// [`StationError`].
pub fn in_a_container(
    station: &Station,
    runtime: &dyn Runtime,
    devices: &[&str],
) -> Result<String, StationError> {
    let container = Container { devices, command: &["/usr/bin/nvidia-smi", "-L"], folders: &[STATE] };
    runtime::run(station, runtime, &container)
}

/// The report as text for people: what is seen, what is not, and what differs from what was asked for.
#[must_use]
pub fn render(wanted: &Wanted, host: &Nodes, report: &Report) -> String {
    let mut text = String::new();
    let line = |text: &mut String, what: String| text.push_str(&format!("  {what}\n"));
    text.push_str("The container sees\n");
    for node in report.devices.iter().filter(|node| host.contains_key(&node.path)) {
        line(
            &mut text,
            format!("{:<34} {:>3}:{:<5} {}", node.path, node.major, node.minor, word(&node.opened)),
        );
    }
    let libraries = wanted.mounts.keys().filter(|path| path.contains(".so")).count();
    let others = wanted.mounts.len() - libraries;
    line(&mut text, format!("{libraries} libraries and {others} other files of the driver, read-only"));
    line(&mut text, format!("{} links to them", wanted.links.len()));
    let cached = report.cached.as_deref().unwrap_or_default();
    let cuda = cached.iter().find(|path| path.ends_with("/libcuda.so.1"));
    line(
        &mut text,
        format!("libcuda.so.1 in the loader's cache: {}", cuda.map_or("missing", String::as_str)),
    );
    text.push_str("It tried every other GPU node of the machine by its numbers\n");
    let granted: Vec<_> = wanted.nodes.values().collect();
    let kept = host.iter().filter(|(_, numbers)| !granted.contains(numbers));
    let tried = kept.filter_map(|(path, (major, minor))| Some((path, made(report, *major, *minor)?)));
    let (refused, reached): (Vec<_>, Vec<_>) = tried.partition(|(_, node)| node.opened == Opened::Denied);
    line(&mut text, format!("{} refused: {}", refused.len(), brief(&refused)));
    line(&mut text, format!("{} reached: {}", reached.len(), brief(&reached)));
    text
}

fn word(opened: &Opened) -> &'static str {
    match opened {
        Opened::Open => "open",
        Opened::Granted => "granted (there is no real driver behind it)",
        Opened::Denied => "DENIED",
        Opened::Other(_) => "FAILS",
    }
}

fn made(report: &Report, major: u64, minor: u64) -> Option<&DeviceNode> {
    report.made.iter().find(|node| (node.major, node.minor) == (major, minor))
}

fn brief(nodes: &[(&String, &DeviceNode)]) -> String {
    let names = nodes.iter().filter_map(|(path, _)| Path::new(path.as_str()).file_name());
    let names: Vec<_> = names.map(|name| name.to_string_lossy()).collect();
    let shown = names.iter().take(8).map(AsRef::as_ref).collect::<Vec<&str>>().join(" ");
    match names.len() {
        0 => "none".into(),
        count if count > 8 => format!("{shown} …"),
        _ => shown,
    }
}

/// What `nvidia-smi -L` shows in the container and should not, or does not and should.
#[must_use]
pub fn listing_faults(on_node: &str, in_container: &str) -> Vec<String> {
    let wanted: Vec<&str> = on_node.lines().filter(|line| asked(on_node, line)).map(str::trim).collect();
    let seen: Vec<&str> = in_container.lines().map(str::trim).collect();
    let uuid = |line: &str| line.split("UUID: ").nth(1).map(|rest| rest.trim_end_matches(')').to_owned());
    let wanted: Vec<_> = wanted.iter().filter_map(|line| uuid(line)).collect();
    let seen: Vec<_> = seen.iter().filter_map(|line| uuid(line)).collect();
    let missing =
        wanted.iter().filter(|id| !seen.contains(id)).map(|id| format!("nvidia-smi does not show {id}"));
    let extra = seen.iter().filter(|id| !wanted.contains(id)).map(|id| format!("nvidia-smi shows {id}"));
    missing.chain(extra).collect()
}

/// True for the lines of GPU 0, of GPU 7 and of its first MIG device: those that [`DEVICES`] stands for.
fn asked(listing: &str, line: &str) -> bool {
    let seventh = listing.lines().skip_while(|line| !line.starts_with("GPU 7:"));
    let part = seventh.skip(1).find(|line| line.contains("Device  0:"));
    line.starts_with("GPU 0:") || line.starts_with("GPU 7:") || Some(line) == part
}

/// All that is wrong with the container.
#[must_use]
pub fn faults(wanted: &Wanted, host: &Nodes, report: &Report, listings: (&str, &str)) -> Vec<String> {
    let mut found = compare::differences(wanted, host, report);
    found.extend(listing_faults(listings.0, listings.1));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const NODE: &str = "GPU 0: H (UUID: GPU-a)\nGPU 1: H (UUID: GPU-b)\nGPU 7: H (UUID: GPU-c)\n  MIG 1g.10gb \
                        Device  0: (UUID: MIG-d)\n  MIG 1g.10gb     Device  1: (UUID: MIG-e)\n";

    #[test]
    fn the_listing_shows_what_was_asked_for_alone() {
        let good = "GPU 0: H (UUID: GPU-a)\nGPU 1: H (UUID: GPU-c)\n  MIG 1g.10gb Device  0: (UUID: MIG-d)\n";
        assert_eq!(listing_faults(NODE, good), [""; 0]);
        assert_eq!(listing_faults(NODE, NODE), ["nvidia-smi shows GPU-b", "nvidia-smi shows MIG-e"]);
        assert_eq!(listing_faults(NODE, "").len(), 3);
    }
}
