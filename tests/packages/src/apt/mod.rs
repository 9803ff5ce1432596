//! Packages of Debian, unpacked beside the system.
//!
//! A request is resolved once and then stays as it was, also in a suite that moves: a note in the cache tells
//! which versions it got. Removing the cache folder is what asks again.
#![expect(clippy::disallowed_methods, reason = "keeps notes and unpacks packages")]

mod call;
mod show;
mod source;

use std::{
    fs, io,
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

pub use self::source::SourceError;
use self::{call::Apt, show::Package};
use crate::{
    cache::{Cache, CacheError},
    program::{Program, ProgramError},
    suite::Suite,
};

const UNPACKING: Duration = Duration::from_secs(120);

/// Packages that could not be had.
#[derive(Debug, thiserror::Error)]
pub enum FetchError {
    /// The cache folder cannot be used.
    #[error(transparent)]
    Cache(#[from] CacheError),
    /// There is no mirror.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// apt or dpkg failed.
    #[error("packages are not to be had")]
    Program(#[from] ProgramError),
    /// The suite does not have them.
    #[error("{suite} has no package {}", .names.join(", "))]
    Missing {
        /// The suite.
        suite: Suite,
        /// What it lacks.
        names: Vec<String>,
    },
    /// A file of the cache failed.
    #[error("cannot use {path} of the cache; check free space and permissions")]
    File {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
}

/// What is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request<'a> {
    /// Where from.
    pub suite: Suite,
    /// Which packages.
    pub names: &'a [&'a str],
    /// True for what these packages depend on and the machine lacks, too.
    pub dependencies: bool,
}

/// The packages `names` of `suite`, unpacked over one another; nothing that they depend on.
///
/// # Errors
/// [`FetchError`].
pub fn fetch(cache: &Cache, suite: Suite, names: &[&str]) -> Result<PathBuf, FetchError> {
    fetch_request(cache, &Request { suite, names, dependencies: false })
}

/// What `request` asks for, unpacked over one another in a folder of the cache.
///
/// # Errors
/// [`FetchError`].
pub fn fetch_request(cache: &Cache, request: &Request<'_>) -> Result<PathBuf, FetchError> {
    let note = cache.subfolder("packages/notes")?.join(format!("{}.json", key(request)));
    let _lock = cache.lock(&format!("apt-{}", request.suite))?;
    if let Some(tree) = noted(&note).map(|packages| cache.folder().join(place(request, &packages)))
        && tree.is_dir()
    {
        return Ok(tree);
    }
    let apt = Apt::new(cache, request.suite)?;
    apt.update(SystemTime::now(), false)?;
    match resolve_and_unpack(cache, request, &apt, &note) {
        Err(FetchError::Program(_) | FetchError::Missing { .. }) => {
            // The lists may name what the mirror no longer has.
            apt.update(SystemTime::now(), true)?;
            resolve_and_unpack(cache, request, &apt, &note)
        }
        done => done,
    }
}

fn resolve_and_unpack(
    cache: &Cache,
    request: &Request<'_>,
    apt: &Apt,
    note: &Path,
) -> Result<PathBuf, FetchError> {
    let mut names: Vec<String> = request.names.iter().map(ToString::to_string).collect();
    if request.dependencies {
        names.extend(show::added(&apt.simulate(&names)?));
        names.sort_unstable();
        names.dedup();
    }
    let packages = show::packages(&apt.show(&names)?);
    let missing = show::missing(&names, &packages);
    if !missing.is_empty() {
        return Err(FetchError::Missing { suite: request.suite, names: missing });
    }
    let tree = cache.keep(&place(request, &packages), |making| unpack(apt, &names, making))?;
    let failed = |source| FetchError::File { path: note.to_path_buf(), source };
    let text = serde_json::to_string_pretty(&packages).unwrap_or_default();
    fs::write(note, text).map_err(failed)?;
    Ok(tree)
}

fn unpack(apt: &Apt, names: &[String], making: &Path) -> Result<(), FetchError> {
    let archives = making.join(".archives");
    let failed = |source| FetchError::File { path: archives.clone(), source };
    fs::create_dir(&archives).map_err(failed)?;
    apt.download(names, &archives)?;
    let mut files = Vec::new();
    for entry in fs::read_dir(&archives).map_err(failed)? {
        files.push(entry.map_err(failed)?.path());
    }
    files.sort();
    for file in files {
        Program::new("dpkg-deb")
            .arguments(["-x".as_ref(), file.as_os_str(), making.as_os_str()])
            .run(UNPACKING)?;
    }
    fs::remove_dir_all(&archives).map_err(failed)
}

fn noted(note: &Path) -> Option<Vec<Package>> {
    serde_json::from_slice(&fs::read(note).ok()?).ok()
}

/// A file name that is the request's alone.
fn key(request: &Request<'_>) -> String {
    let mut names = request.names.to_vec();
    names.sort_unstable();
    let kind = if request.dependencies { "with-dependencies" } else { "alone" };
    format!("{}-{}-{kind}-{}", request.suite, names.first().unwrap_or(&"nothing"), digest(&names.join(" ")))
}

/// The folder below the cache for `request` at these versions.
fn place(request: &Request<'_>, packages: &[Package]) -> String {
    let all: Vec<String> =
        packages.iter().map(|package| format!("{}={}", package.name, package.version)).collect();
    let asked = request.names.first().copied().unwrap_or("nothing");
    let version =
        packages.iter().find(|package| package.name == asked).map_or("", |package| &package.version);
    let version: String =
        version.chars().map(|letter| if "/:".contains(letter) { '_' } else { letter }).collect();
    format!("packages/{}/{asked}_{version}_{}", request.suite, digest(&all.join(" ")))
}

/// FNV-1a with 64 bits: tells one request from another, and defends against nobody.
fn digest(text: &str) -> String {
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{hash:016x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_version_or_request_has_another_folder() {
        let package = |version: &str| vec![Package { name: "runc".into(), version: version.into() }];
        let request = Request { suite: Suite::Bookworm, names: &["runc"], dependencies: false };
        let one = place(&request, &package("1.1.5"));
        assert_eq!(one, place(&request, &package("1.1.5")));
        assert_ne!(one, place(&request, &package("1.1.6")));
        assert!(one.starts_with("packages/bookworm/runc_1.1.5_"), "{one}");
        let with = Request { dependencies: true, ..request.clone() };
        assert_ne!(key(&request), key(&with));
    }

    #[test]
    fn what_is_in_the_cache_needs_no_network() {
        let folder = tempfile::tempdir().expect("a folder");
        let cache = Cache::at(folder.path().into());
        let request = Request { suite: Suite::Sid, names: &["runc"], dependencies: false };
        let packages = vec![Package { name: "runc".into(), version: "1".into() }];
        let tree = folder.path().join(place(&request, &packages));
        fs::create_dir_all(&tree).expect("a tree");
        let note = cache.subfolder("packages/notes").expect("notes").join(format!("{}.json", key(&request)));
        fs::write(note, serde_json::to_string(&packages).expect("a note")).expect("a note");
        assert_eq!(fetch(&cache, Suite::Sid, &["runc"]).expect("a tree"), tree);
        assert!(!folder.path().join("apt").exists());
    }
}
