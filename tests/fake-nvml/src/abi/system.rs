//! The library and the driver.

use std::ffi::{c_char, c_int};

use nvml_wrapper_sys::bindings::{self as sys, nvmlReturn_t};

use super::{
    Uint,
    call::bare,
    code::Code,
    pointer::{Out, OutText},
    session,
};
use crate::export;

/// Opens the session or joins it.
#[unsafe(no_mangle)]
pub extern "C" fn nvmlInit_v2() -> nvmlReturn_t {
    bare(|| session::open("nvmlInit_v2"))
}

/// As [`nvmlInit_v2`], for programs built long ago.
#[unsafe(no_mangle)]
pub extern "C" fn nvmlInit() -> nvmlReturn_t {
    bare(|| session::open("nvmlInit"))
}

/// As [`nvmlInit_v2`]; the flags ask for leniency (no GPU, no attaching) that is always given.
#[unsafe(no_mangle)]
pub extern "C" fn nvmlInitWithFlags(_flags: Uint) -> nvmlReturn_t {
    bare(|| session::open("nvmlInitWithFlags"))
}

/// Leaves the session.
#[unsafe(no_mangle)]
pub extern "C" fn nvmlShutdown() -> nvmlReturn_t {
    bare(session::close)
}

/// A text for a return code; the texts are NVIDIA's, since programs show them to people who look them up.
#[unsafe(no_mangle)]
pub extern "C" fn nvmlErrorString(code: nvmlReturn_t) -> *const c_char {
    super::text::of(code).as_ptr()
}

export! {
    /// Version of the driver.
    fn nvmlSystemGetDriverVersion(version: OutText, length: Uint) = node => {
        version.put(length, &node.state.driver.version)
    };

    /// Version of the library: that of NVML's interface, then the driver's.
    fn nvmlSystemGetNVMLVersion(version: OutText, length: Uint) = node => {
        version.put(length, &format!("{}.{}", cuda_major(node.state.driver.cuda), node.state.driver.version))
    };

    /// Highest CUDA version: 1000 x major + 10 x minor.
    fn nvmlSystemGetCudaDriverVersion | nvmlSystemGetCudaDriverVersion_v2(version: Out<c_int>) = node => {
        version.put(node.state.driver.cuda)
    };

    /// How many GPUs this process sees.
    fn nvmlDeviceGetCount_v2 | nvmlDeviceGetCount(count: Out<Uint>) = node => {
        count.put(Uint::try_from(node.gpus().count()).unwrap_or(Uint::MAX))
    };

    /// Name of a process.
    fn nvmlSystemGetProcessName(pid: Uint, name: OutText, length: Uint) = _node => {
        name.put(length, &process_name(pid).ok_or(Code::NOT_FOUND)?)
    };

    /// Branch of the driver: `r550_00` for 550.x.
    fn nvmlSystemGetDriverBranch(branch: Out<sys::nvmlSystemDriverBranchInfo_t>, length: Uint) = node => {
        let mut info = branch.get_versioned(super::pointer::version::<sys::nvmlSystemDriverBranchInfo_t>(1))?;
        let major = node.state.driver.version.split('.').next().unwrap_or_default();
        let text = format!("r{major}_00");
        if usize::try_from(length).is_ok_and(|length| length <= text.len()) {
            return Err(Code::INSUFFICIENT_SIZE);
        }
        info.branch = super::pointer::fixed(&text);
        branch.put(info)
    };
}

fn cuda_major(cuda: i32) -> i32 {
    cuda / 1000
}

#[expect(clippy::disallowed_methods, reason = "a process's name stands in /proc")]
fn process_name(pid: Uint) -> Option<String> {
    let line = std::fs::read(format!("/proc/{pid}/cmdline")).ok()?;
    let name = line.split(|byte| *byte == 0).next()?;
    String::from_utf8(name.to_vec()).ok()
}
