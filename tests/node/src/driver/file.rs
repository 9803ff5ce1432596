//! One file of the driver, at the place where Debian's package has it.

use std::path::PathBuf;

use crate::tree::Entry;

/// What kind of file it is, for layouts that have another place for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DriverFileKind {
    /// A shared object, or a link to one.
    Library,
    /// A program or script.
    Program,
    /// Anything else.
    Data,
}

/// A file or link of the driver.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DriverFile {
    /// Absolute path in Debian's package; below /usr, also where the package says /lib.
    pub path: PathBuf,
    /// What it is.
    pub kind: DriverFileKind,
    /// The file or link itself.
    pub entry: Entry,
}
