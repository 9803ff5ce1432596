//! One library of the cache.

use std::path::PathBuf;

/// A name and the file that it stands for; glibc searches the names in descending order.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry {
    /// What a program asks for, such as `libcuda.so.1`: bytes, as in the file.
    pub name: Vec<u8>,
    /// Absolute path, as `ldconfig` saw it.
    pub path: PathBuf,
    /// Kind of library in the low byte (3: ELF for libc 6), what it needs of the processor in the next one.
    pub flags: u32,
    /// Bits of hardware that the file wants; 0 for any.
    pub hwcap: u64,
}

/// Processors that the cache tells apart, as far as NVIDIA's driver runs on them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Architecture {
    /// 64-bit x86.
    X86_64,
    /// 32-bit x86.
    X86,
    /// 64-bit ARM.
    Aarch64,
}

/// `FLAG_ELF_LIBC6`.
const ELF_LIBC6: u32 = 0x0003;
/// `FLAG_X8664_LIB64`.
const X86_64_LIB64: u32 = 0x0300;
/// `FLAG_AARCH64_LIB64`.
const AARCH64_LIB64: u32 = 0x0a00;

impl Architecture {
    /// The one that this program was built for, if the driver runs on it.
    #[must_use]
    pub fn native() -> Option<Self> {
        match std::env::consts::ARCH {
            "x86_64" => Some(Self::X86_64),
            "x86" => Some(Self::X86),
            "aarch64" => Some(Self::Aarch64),
            _ => None,
        }
    }

    /// Flags of an ELF library for libc 6 of this processor.
    #[must_use]
    pub fn flags(self) -> u32 {
        match self {
            Self::X86_64 => ELF_LIBC6 | X86_64_LIB64,
            Self::X86 => ELF_LIBC6,
            Self::Aarch64 => ELF_LIBC6 | AARCH64_LIB64,
        }
    }
}

impl Entry {
    /// Whether programs of `architecture` can load the file.
    #[must_use]
    pub fn is_for(&self, architecture: Architecture) -> bool {
        self.flags == architecture.flags()
    }
}
