//! The one folder that everything fetched lies in.
//!
//! Invariant: what stands under its final name is complete. It is made in `making/` and renamed; who is second
//! finds it there. One lock a name keeps two makers of the same thing apart, in one process or in several.
#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "keeps files in a folder")]

use std::{
    env,
    ffi::OsString,
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    process,
};

use nix::fcntl::{Flock, FlockArg};

/// The cache folder cannot be used.
#[derive(Debug, thiserror::Error)]
#[error(
    "cannot use {path} of the cache; check free space and permissions, or set BERTH_CACHE to another folder"
)]
pub struct CacheError {
    path: PathBuf,
    source: io::Error,
}

/// The cache folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cache {
    folder: PathBuf,
}

impl Cache {
    /// The cache in `folder`, which is made when it is needed.
    #[must_use]
    pub fn at(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// The cache of who runs this program: `$BERTH_CACHE`, else `$XDG_CACHE_HOME/berth`, else `~/.cache/berth`.
    #[must_use]
    pub fn of_user() -> Self {
        Self::at(choose(env::var_os("BERTH_CACHE"), env::var_os("XDG_CACHE_HOME"), env::var_os("HOME")))
    }

    /// Its folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// A folder of it, made if it is not there.
    pub(crate) fn subfolder(&self, below: &str) -> Result<PathBuf, CacheError> {
        let path = self.folder.join(below);
        fs::create_dir_all(&path).map_err(|source| CacheError { path: path.clone(), source })?;
        Ok(path)
    }

    /// Waits until nobody else holds `name`, and holds it as long as the answer lives.
    pub(crate) fn lock(&self, name: &str) -> Result<Flock<File>, CacheError> {
        let path = self.subfolder("locks")?.join(name);
        let failed = |source| CacheError { path: path.clone(), source };
        let file = File::options().create(true).truncate(false).write(true).open(&path).map_err(failed)?;
        Flock::lock(file, FlockArg::LockExclusive).map_err(|(_, errno)| failed(errno.into()))
    }

    /// The folder `below`; if it is not there, `make` fills it, and nobody sees it before it is full.
    pub(crate) fn keep<E: From<CacheError>>(
        &self,
        below: &str,
        make: impl FnOnce(&Path) -> Result<(), E>,
    ) -> Result<PathBuf, E> {
        let kept = self.folder.join(below);
        let _lock = self.lock(&below.replace('/', "_"))?;
        if kept.is_dir() {
            return Ok(kept);
        }
        let making = self.subfolder("making")?.join(format!("{}.{}", below.replace('/', "_"), process::id()));
        let failed = |source| CacheError { path: making.clone(), source };
        if making.exists() {
            fs::remove_dir_all(&making).map_err(failed)?;
        }
        fs::create_dir(&making).map_err(failed)?;
        make(&making)?;
        if let Some(parent) = kept.parent() {
            fs::create_dir_all(parent).map_err(failed)?;
        }
        fs::rename(&making, &kept).map_err(failed)?;
        Ok(kept)
    }
}

fn choose(own: Option<OsString>, xdg: Option<OsString>, home: Option<OsString>) -> PathBuf {
    let set = |value: Option<OsString>| value.filter(|value| !value.is_empty()).map(PathBuf::from);
    let xdg = set(xdg).filter(|folder| folder.is_absolute()).map(|folder| folder.join("berth"));
    let home = || set(home).unwrap_or_else(|| "/root".into()).join(".cache/berth");
    set(own).or(xdg).unwrap_or_else(home)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_setting_names_the_folder() {
        let some = |text: &str| Some(OsString::from(text));
        for (own, xdg, home, folder) in [
            (some("/c"), some("/x"), some("/h"), "/c"),
            (some(""), some("/x"), some("/h"), "/x/berth"),
            (None, some("relative"), some("/h"), "/h/.cache/berth"),
            (None, None, None, "/root/.cache/berth"),
        ] {
            assert_eq!(choose(own, xdg, home), Path::new(folder));
        }
    }

    #[test]
    fn what_is_kept_is_made_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let cache = Cache::at(folder.path().join("cache"));
        let make = |making: &Path| fs::write(making.join("file"), "x");
        let first = cache.keep("a/b", |making| make(making).map_err(|source| at(making, source)));
        let second = cache.keep("a/b", |_| -> Result<(), CacheError> { panic!("made twice") });
        assert_eq!(first.expect("made"), second.expect("kept"));
        assert!(cache.folder().join("a/b/file").exists());
    }

    #[test]
    fn what_fails_halfway_is_not_kept_and_can_be_made_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let cache = Cache::at(folder.path().into());
        let fail = |making: &Path| {
            fs::write(making.join("half"), "x").expect("a file");
            Err(at(making, io::ErrorKind::Other.into()))
        };
        cache.keep("a", fail).expect_err("a failure");
        assert!(!folder.path().join("a").exists());
        let made = cache.keep("a", |_| Ok::<(), CacheError>(())).expect("made");
        assert!(!made.join("half").exists());
    }

    fn at(path: &Path, source: io::Error) -> CacheError {
        CacheError { path: path.into(), source }
    }

    #[test]
    fn two_makers_of_the_same_wait_for_one_another() {
        let folder = tempfile::tempdir().expect("a folder");
        let made = std::sync::atomic::AtomicU32::new(0);
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let count = |_: &Path| {
                        made.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
                        Ok::<(), CacheError>(())
                    };
                    Cache::at(folder.path().into()).keep("a", count).expect("kept");
                });
            }
        });
        assert_eq!(made.into_inner(), 1);
    }
}
