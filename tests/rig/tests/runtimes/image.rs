//! What containers are made of.

use std::{fs, os::unix::fs::MetadataExt};

use berth_packages::Cache;
use berth_rig::{built, image};

use super::*;

#[test]
fn no_file_of_an_image_is_also_one_of_somebody_else() {
    let folder = tempfile::tempdir().expect("a folder");
    let built = built::build(Profile::Dev).expect("static programs");
    image::root(folder.path(), &Cache::of_user(), &built).expect("the image's files");
    for name in ["bin/busybox", "bin/berth-probe", "lib64/ld-linux-x86-64.so.2"] {
        let facts = fs::metadata(folder.path().join(name)).expect("a file");
        assert_eq!(facts.nlink(), 1, "{name}");
    }
}
