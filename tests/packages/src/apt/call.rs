//! Calls of apt that see one suite and touch nothing of the machine's.
#![expect(clippy::disallowed_methods, reason = "keeps apt's folders")]

use std::{
    fs,
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

use super::{FetchError, source};
use crate::{cache::Cache, program::Program, suite::Suite};

const MINUTE: Duration = Duration::from_secs(60);
/// Lists younger than this are taken as they are, unless they name a file that is gone.
const FRESH: Duration = Duration::from_secs(60 * 60);

/// apt with the sources, lists and archives of one suite.
#[derive(Debug)]
pub(super) struct Apt {
    folder: PathBuf,
    suite: Suite,
}

impl Apt {
    pub(super) fn new(cache: &Cache, suite: Suite) -> Result<Self, FetchError> {
        let folder = cache.subfolder(&format!("apt/{suite}"))?;
        for below in ["lists/partial", "none/partial", "archives/archives/partial"] {
            cache.subfolder(&format!("apt/{suite}/{below}"))?;
        }
        Ok(Self { folder, suite })
    }

    /// Fetches the suite's lists, unless they are fresh at `now` and `again` is false.
    pub(super) fn update(&self, now: SystemTime, again: bool) -> Result<(), FetchError> {
        let stamp = self.folder.join("updated");
        let age = fs::metadata(&stamp).and_then(|found| found.modified());
        let fresh = age.is_ok_and(|then| now.duration_since(then).is_ok_and(|age| age < FRESH));
        if fresh && !again {
            return Ok(());
        }
        let failed = |source| FetchError::File { path: stamp.clone(), source };
        fs::write(self.folder.join("sources.list"), source::line(self.suite, &self.folder.join("none"))?)
            .map_err(failed)?;
        self.call("apt-get").arguments(["update", "-qq", "--error-on=any"]).run(10 * MINUTE)?;
        fs::write(&stamp, "").map_err(failed)
    }

    /// What `apt-cache show` says of `names`; unknown ones are left out of the answer.
    pub(super) fn show(&self, names: &[String]) -> Result<String, FetchError> {
        let call = self.call("apt-cache").arguments(["show", "--no-all-versions"]).arguments(names);
        Ok(String::from_utf8_lossy(&call.output(2 * MINUTE)?.stdout).into_owned())
    }

    /// What apt would install so that `names` run on this machine.
    pub(super) fn simulate(&self, names: &[String]) -> Result<String, FetchError> {
        let call = self.call("apt-get").arguments(["install", "--simulate", "--no-install-recommends"]);
        Ok(call.arguments(names).run(2 * MINUTE)?)
    }

    /// Downloads `names` into `folder`.
    pub(super) fn download(&self, names: &[String], folder: &Path) -> Result<(), FetchError> {
        let call = self.call("apt-get").arguments(["download", "-qq"]).arguments(names).folder(folder);
        Ok(call.run(15 * MINUTE).map(drop)?)
    }

    /// Options that name the suite's own places. Archives go to the folder that apt runs in, as root: the
    /// sandbox's user cannot reach a cache in a home folder.
    fn call(&self, program: &str) -> Program {
        let at = |option: &str, below: &str| format!("-oDir::{option}={}", self.folder.join(below).display());
        Program::new(program)
            .arguments([
                at("Etc::SourceList", "sources.list"),
                at("State::Lists", "lists"),
                at("Cache", "archives"),
            ])
            .arguments(["-oDir::Etc::SourceParts=-", "-oAPT::Sandbox::User=root", "-oDPkg::Lock::Timeout=60"])
            .arguments(["-oAcquire::Retries=3", "-oAcquire::IndexTargets::deb::DEP-11::DefaultEnabled=false"])
            .arguments(["-oDebug::NoLocking=true"])
            .environment("DEBIAN_FRONTEND", "noninteractive")
    }
}
