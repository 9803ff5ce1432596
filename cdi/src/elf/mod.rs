//! What a loader must know of a shared library before it loads it: for which processor, under which name.
//!
//! Pure: the file's bytes come through a function of the caller. Whatever the file holds, few bytes are asked for
//! and nothing else happens: three or four reads, [`MOST_BYTES`] in all (ELF-64 object file format, gABI 4).

mod layout;
#[cfg(test)]
pub(crate) mod made;
mod read;

pub use layout::{Class, MACHINE_386, MACHINE_AARCH64, MACHINE_X86_64};
pub use read::{ElfError, MOST_BYTES, read};

/// A shared library or program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Library {
    /// 32 or 64 bits.
    pub class: Class,
    /// `e_machine`: [`MACHINE_X86_64`] and its like.
    pub machine: u16,
    /// A shared object (`ET_DYN`) with a dynamic section, which the loader can load.
    pub shared: bool,
    /// `DT_SONAME`: the name that programs ask for. Never with a `/`.
    pub soname: Option<String>,
}
