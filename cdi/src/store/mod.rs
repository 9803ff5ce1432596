//! Spec files, replaced whole: a reader sees the old file or the new one, at its final mode, never a part of one.
//!
//! [`replace`] and [`remove`] are the only ways by which a spec file changes. A [`Lease`] says which process writes a
//! file for as long as it runs.

mod lease;
mod replace;
mod temporary;

pub use lease::{Lease, LeaseError};
pub use replace::{StoreError, read, remove, replace};

#[cfg(test)]
mod tests;
