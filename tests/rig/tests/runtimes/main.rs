//! Real runtimes on a simulated node: a container gets the devices that it asks for, and nothing else.

#![expect(clippy::disallowed_methods, reason = "changes real files")]

mod denied;
mod image;
mod left;
mod programs;
mod seen;

use std::io::Write as _;

use berth_cdi::{chain::chain, spec::Spec};
use berth_rig::{
    built::{Profile, beside},
    runtime::{Cdi, Containerd, Cri, OciRuntime, Podman, Runtime},
    station::{Plan, Station},
};

/// A station with two GPUs, the second cut in two.
fn station() -> (Station, Spec) {
    let plan = Plan { boards: "2xh100-sxm-80gb", mig: &[(1, &["1g.10gb", "3g.40gb"])], real_driver: true };
    let station =
        Station::new(&plan, Profile::Dev, &beside("berth-rig-command")).expect("a station; it takes root");
    let spec = station.generate().expect("a spec");
    (station, spec)
}

/// All runtimes that run on this machine; which one does not is said aloud, since a test's output is hidden.
fn runtimes(station: &Station) -> Vec<Box<dyn Runtime>> {
    let podman = Podman::new(station, OciRuntime::Runc).expect("podman");
    let crun = podman_with_crun(station, podman.with(OciRuntime::Crun));
    let containerd = Containerd::new(station).expect("containerd");
    let cri = Cri::new(station, Cdi::On).expect("containerd's CRI");
    let mut found: Vec<Box<dyn Runtime>> = vec![Box::new(containerd), Box::new(cri), Box::new(podman)];
    found.extend(crun.map(|crun| Box::new(crun) as Box<dyn Runtime>));
    found
}

/// `crun`, where it takes the machine.
fn podman_with_crun(station: &Station, crun: Podman) -> Option<Podman> {
    let container = berth_rig::runtime::Container { command: &["/bin/env"], ..Default::default() };
    let ran = berth_rig::runtime::run(station, &crun, &container);
    let refused =
        ran.as_ref().is_err_and(|error| chain(error).contains("cgroups in hybrid mode not supported"));
    let mut aloud = std::io::stderr();
    if refused {
        writeln!(aloud, "crun refuses this machine's cgroups (hybrid): podman is run with runc alone")
            .expect("stderr");
        return None;
    }
    ran.expect("crun runs a container");
    writeln!(aloud, "podman is run with runc and with crun").expect("stderr");
    Some(crun)
}
