//! What is left once runtimes and their station are gone.

use std::{fs, path::Path};

use super::*;

#[test]
fn nothing_of_a_pod_that_still_runs_is_left_on_the_machine_when_its_station_goes() {
    let (station, _) = station();
    let group = station.group();
    let hierarchies = || {
        let below =
            fs::read_dir("/sys/fs/cgroup").expect("control groups").flatten().map(|entry| entry.path());
        let all = below.chain([Path::new("/sys/fs/cgroup").to_path_buf()]);
        let found =
            all.map(|hierarchy| hierarchy.join(group.trim_start_matches('/'))).filter(|path| path.is_dir());
        found.collect::<Vec<_>>()
    };
    let cri = Cri::new(&station, Cdi::On).expect("containerd's CRI");
    assert!(!hierarchies().is_empty(), "the pod runs in a group of the station");
    drop(cri);
    drop(station);
    assert_eq!(hierarchies(), Vec::<std::path::PathBuf>::new());
}
