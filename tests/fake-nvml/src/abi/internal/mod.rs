//! What `nvidia-smi` finds beside NVML's public functions: a table of functions without names.
//!
//! The table begins with its size in bytes; each further slot is a function. `nvidia-smi` asks for it first and takes
//! a library without it for one of another driver version. Of the functions only those are answered that a program was
//! seen to need; the others answer `NOT_SUPPORTED`, on which it goes on with the public ones.

pub mod heat;
pub mod policy;

use nvml_wrapper_sys::bindings::nvmlReturn_t;

use super::{call::bare, code::Code, pointer::Out};

/// Which table: the only one known.
const IDENTITY: [u8; 16] =
    [0xc4, 0xfe, 0x3e, 0x6c, 0xc9, 0x8f, 0x6c, 0x4e, 0xa3, 0x27, 0xee, 0x69, 0x6e, 0x12, 0xf7, 0xc4];

/// More than any version was seen to use.
const SLOTS: usize = 511;

#[repr(C)]
struct Table {
    bytes: usize,
    slots: [*const (); SLOTS],
}

// SAFETY: addresses of functions, never written.
unsafe impl Sync for Table {}

static TABLE: Table = Table { bytes: size_of::<Table>(), slots: slots() };

/// The address of the table, as it is handed out.
#[derive(Debug, Clone, Copy)]
#[repr(transparent)]
pub struct TablePointer(*const ());

/// Hands out the table.
#[unsafe(no_mangle)]
pub extern "C" fn nvmlInternalGetExportTable(
    table: Out<TablePointer>,
    identity: Out<[u8; 16]>,
) -> nvmlReturn_t {
    bare(|| match identity.get()? {
        IDENTITY => table.put(TablePointer((&raw const TABLE).cast())),
        _ => Err(Code::NOT_FOUND),
    })
}

/// The first slot is number 1: number 0 is the size.
const fn slots() -> [*const (); SLOTS] {
    let mut slots = [unsupported as *const (); SLOTS];
    slots[policy::SET - 1] = policy::set_compute_policy as *const ();
    slots[policy::LIST - 1] = policy::compute_policies as *const ();
    slots[heat::SLOT - 1] = heat::distance_to_limit as *const ();
    slots
}

extern "C" fn unsupported() -> nvmlReturn_t {
    Code::NOT_SUPPORTED.0
}
