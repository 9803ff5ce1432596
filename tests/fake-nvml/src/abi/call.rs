//! What every call goes through.
#![expect(clippy::disallowed_methods, reason = "a slow driver sleeps")]

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    time::Duration,
};

use nvml_wrapper_sys::bindings::{self as sys, nvmlReturn_t};

use super::{
    code::{Answer, Code},
    node::Node,
    session,
};
use crate::state::Faults;

/// Runs `body` on the node as it is now, after the faults that `name` meets.
pub fn call(name: &str, body: impl FnOnce(&Node) -> Answer) -> nvmlReturn_t {
    bare(|| {
        let node = session::current()?;
        faults(&node.state.faults, name)?;
        body(&node)
    })
}

/// Runs `body` without a session: for the few functions that need none.
pub fn bare(body: impl FnOnce() -> Answer) -> nvmlReturn_t {
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(())) => sys::nvmlReturn_enum_NVML_SUCCESS,
        Ok(Err(Code(code))) => code,
        Err(_panic) => Code::UNKNOWN.0,
    }
}

/// Sleeps as long as the driver is slow, then answers what it answers instead of `name`, if it does.
pub(super) fn faults(faults: &Faults, name: &str) -> Answer {
    let slow = faults.slow_functions.get(name).copied().unwrap_or(faults.slow_call_ms);
    if slow > 0 {
        std::thread::sleep(Duration::from_millis(slow));
    }
    if let Some(code) = faults.functions.get(name).filter(|code| **code != 0) {
        return Err(Code(*code));
    }
    if faults.driver_not_loaded {
        return Err(Code::DRIVER_NOT_LOADED);
    }
    if faults.version_mismatch {
        return Err(Code::LIB_RM_VERSION_MISMATCH);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;

    #[test]
    fn a_slow_driver_takes_its_time_and_then_answers() {
        let slow = Faults { slow_functions: [("nvmlDeviceGetName".into(), 20)].into(), ..Faults::default() };
        let start = Instant::now();
        assert_eq!(faults(&slow, "nvmlDeviceGetName"), Ok(()));
        assert!(start.elapsed() >= Duration::from_millis(20));
    }

    #[test]
    fn a_functions_own_answer_comes_before_the_drivers() {
        let mut all = Faults { driver_not_loaded: true, version_mismatch: true, ..Faults::default() };
        all.functions.insert("nvmlDeviceGetName".into(), 10);
        assert_eq!(faults(&all, "nvmlDeviceGetName"), Err(Code::TIMEOUT));
        assert_eq!(faults(&all, "nvmlDeviceGetUUID"), Err(Code::DRIVER_NOT_LOADED));
        all.driver_not_loaded = false;
        assert_eq!(faults(&all, "nvmlDeviceGetUUID"), Err(Code::LIB_RM_VERSION_MISMATCH));
    }

    #[test]
    fn a_panic_does_not_reach_the_caller() {
        assert_eq!(bare(|| panic!("a fault of this library")), Code::UNKNOWN.0);
    }
}
