//! A stand-in for `libdxcore.so`, by which programs in Windows' subsystem for Linux ask for adapters and for where
//! the driver of each lies. It has one adapter: that of the driver store's first package with CUDA in it.
//!
//! Names, structures and numbers are those of Windows' `d3dkmthk.h`; a `wchar_t` is Linux's, of four bytes. Every call
//! answers 0, or [`REFUSED`] for a question that no simulated node is asked.

#![allow(unsafe_code, reason = "a C interface")]
#![expect(clippy::disallowed_methods, reason = "looks at the machine's driver store")]

use std::{fs, path::PathBuf};

/// Windows' STATUS_INVALID_PARAMETER.
pub const REFUSED: i32 = 0xC000_000D_u32.cast_signed();

/// Where the subsystem mounts the driver store.
const STORE: &str = "/usr/lib/wsl/drivers";
/// Tells NVIDIA's package from others'.
const CUDA: &str = "libcuda.so.1.1";
/// WDDM 3.1: newer than what any program asks for.
const WDDM: u32 = 3100;
const DRIVER_VERSION: i32 = 13;
const REGISTRY: i32 = 48;
const DRIVER_STORE_PATH: i32 = 2;

/// `D3DKMT_ADAPTERINFO`.
#[repr(C)]
#[derive(Debug)]
pub struct Adapter {
    handle: u32,
    luid: [u32; 2],
    sources: u32,
    moves: u32,
}

/// `D3DKMT_ENUMADAPTERS2`.
#[repr(C)]
#[derive(Debug)]
pub struct Adapters {
    count: u32,
    list: *mut Adapter,
}

/// `D3DKMT_QUERYADAPTERINFO`.
#[repr(C)]
#[derive(Debug)]
pub struct Question {
    adapter: u32,
    kind: i32,
    data: *mut u8,
    size: u32,
}

/// `D3DDDI_QUERYREGISTRY_INFO`, up to the text that follows.
#[repr(C)]
#[derive(Debug)]
pub struct Registry {
    kind: i32,
    flags: u32,
    name: [i32; 260],
    value_kind: u32,
    physical: u32,
    size: u32,
    status: i32,
    output: u64,
}

/// Tells the number of adapters, and the adapters where there is a list to fill.
///
/// # Safety
/// `adapters` points to a structure whose list is null or has room for one.
#[unsafe(export_name = "D3DKMTEnumAdapters2")]
pub unsafe extern "C" fn adapters(adapters: *mut Adapters) -> i32 {
    // SAFETY: the caller's promise.
    let Some(adapters) = (unsafe { adapters.as_mut() }) else { return REFUSED };
    adapters.count = 1;
    // SAFETY: the caller's promise.
    if let Some(first) = unsafe { adapters.list.as_mut() } {
        *first = Adapter { handle: 1, luid: [1, 0], sources: 1, moves: 0 };
    }
    0
}

/// Tells the version of the adapter's driver model, or where its driver lies.
///
/// # Safety
/// `question` points to a structure whose data are as long as it says.
#[unsafe(export_name = "D3DKMTQueryAdapterInfo")]
pub unsafe extern "C" fn ask(question: *const Question) -> i32 {
    // SAFETY: the caller's promise.
    let Some(question) = (unsafe { question.as_ref() }) else { return REFUSED };
    let size = usize::try_from(question.size).unwrap_or(0);
    match question.kind {
        DRIVER_VERSION if size >= size_of::<u32>() => {
            // SAFETY: the data are as long as a number.
            unsafe { question.data.cast::<u32>().write_unaligned(WDDM) };
            0
        }
        REGISTRY if size >= size_of::<Registry>() => {
            // SAFETY: the data are as long as the structure, which the caller allocated as one.
            let Some(registry) = (unsafe { question.data.cast::<Registry>().as_mut() }) else {
                return REFUSED;
            };
            // SAFETY: the text follows in the same data.
            unsafe { path(registry, size - size_of::<Registry>()) }
        }
        _ => REFUSED,
    }
}

/// The length of the package's path in bytes, and the path where there is `room` for it.
///
/// # Safety
/// `room` bytes follow `registry`.
unsafe fn path(registry: &mut Registry, room: usize) -> i32 {
    if registry.kind != DRIVER_STORE_PATH {
        return REFUSED;
    }
    let Some(package) = package() else { return REFUSED };
    let letters: Vec<u32> = package.to_string_lossy().chars().map(u32::from).collect();
    let length = size_of_val(letters.as_slice());
    registry.size = u32::try_from(length).unwrap_or(0);
    registry.status = 0;
    if room >= length {
        let text = (&raw mut registry.output).cast::<u32>();
        // SAFETY: the text begins at the output and has room for its letters, as was checked.
        unsafe { text.copy_from_nonoverlapping(letters.as_ptr(), letters.len()) };
    }
    0
}

fn package() -> Option<PathBuf> {
    let entries = fs::read_dir(STORE).ok()?;
    let mut packages: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    packages.sort_unstable();
    packages.into_iter().find(|package| package.join(CUDA).exists())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_one_adapter_with_a_driver_model_that_programs_take() {
        let mut adapter = Adapter { handle: 0, luid: [0, 0], sources: 0, moves: 0 };
        let mut all = Adapters { count: 0, list: &raw mut adapter };
        // SAFETY: the list has room for one.
        assert_eq!((unsafe { adapters(&raw mut all) }, all.count, adapter.handle), (0, 1, 1));
        let mut version = 0_u32;
        let data = (&raw mut version).cast();
        let mut question = Question { adapter: 1, kind: DRIVER_VERSION, data, size: 4 };
        // SAFETY: the data are four bytes.
        assert_eq!((unsafe { ask(&raw const question) }, version), (0, WDDM));
        question.kind = 7;
        // SAFETY: the same data.
        assert_eq!(unsafe { ask(&raw const question) }, REFUSED);
    }
}
