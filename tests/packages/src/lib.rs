//! Software of others, fetched into one cache folder and never installed.
//!
//! Packages of Debian's suites are unpacked beside the system ([`fetch`]), Go programs are built from the
//! module registry ([`peer`], [`crictl`]), Python packages go into a folder of their own ([`python`]), and tools of cargo
//! too ([`cargo_tool`]). What is in the cache is complete: it is made under another name and renamed. Callers
//! in several processes wait for one another.

mod apt;
mod cache;
mod cargo_tool;
mod go;
mod pip;
pub mod preset;
mod program;
mod suite;

pub use self::{
    apt::{FetchError, Request, SourceError, fetch, fetch_request},
    cache::{Cache, CacheError},
    cargo_tool::cargo_tool,
    go::{GoError, Peer, crictl, peer},
    pip::python,
    program::{Program, ProgramError},
    suite::Suite,
};
