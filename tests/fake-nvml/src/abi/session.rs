//! Between `nvmlInit` and `nvmlShutdown`: which state, and the node as last seen.

use std::{
    env,
    ffi::{CStr, OsStr, c_void},
    os::unix::ffi::OsStrExt,
    path::PathBuf,
    sync::{Arc, PoisonError, RwLock},
};

use nix::libc;

use super::{
    call,
    code::{Answer, Code},
    node::Node,
};
use crate::state::{Counter, STATE_VARIABLE, Store, find_directory};

/// All of a process's callers share one session, as with NVIDIA's library.
static SESSION: RwLock<Option<Session>> = RwLock::new(None);

struct Session {
    /// Callers of `nvmlInit` without `nvmlShutdown`.
    callers: usize,
    store: Store,
    counter: Counter,
    /// Count at which `node` was read.
    seen: u64,
    node: Arc<Node>,
}

/// Opens the session, or joins it.
pub(super) fn open(name: &str) -> Answer {
    let mut session = SESSION.write().unwrap_or_else(PoisonError::into_inner);
    let mut open = match session.take() {
        Some(open) => open,
        None => start()?,
    };
    let answer = open.refresh().and_then(|()| call::faults(&open.node.state.faults, name));
    open.callers += usize::from(answer.is_ok());
    *session = (open.callers > 0).then_some(open);
    answer
}

/// Leaves the session; the last to leave closes it.
pub(super) fn close() -> Answer {
    let mut session = SESSION.write().unwrap_or_else(PoisonError::into_inner);
    let open = session.as_mut().ok_or(Code::UNINITIALIZED)?;
    open.callers -= 1;
    if open.callers == 0 {
        *session = None;
    }
    Ok(())
}

/// The node as it is now.
///
/// # Errors
/// `UNINITIALIZED` outside of a session; the code for a state that cannot be read.
pub fn current() -> Answer<Arc<Node>> {
    {
        let session = SESSION.read().unwrap_or_else(PoisonError::into_inner);
        let open = session.as_ref().ok_or(Code::UNINITIALIZED)?;
        if open.seen == open.counter.now() {
            return Ok(Arc::clone(&open.node));
        }
    }
    let mut session = SESSION.write().unwrap_or_else(PoisonError::into_inner);
    let open = session.as_mut().ok_or(Code::UNINITIALIZED)?;
    open.refresh()?;
    Ok(Arc::clone(&open.node))
}

impl Session {
    fn refresh(&mut self) -> Answer {
        let now = self.counter.now();
        if now != self.seen {
            self.node = Arc::new(Node::new(self.store.clone(), self.store.read()?));
            self.seen = now;
        }
        Ok(())
    }
}

fn start() -> Answer<Session> {
    let directory = find_directory(env::var_os(STATE_VARIABLE), own_path().as_deref());
    let counter = Counter::open(&directory).ok().ok_or(Code::DRIVER_NOT_LOADED)?;
    let seen = counter.now();
    let store = Store::at(&directory);
    let node = Arc::new(Node::new(store.clone(), store.read()?));
    Ok(Session { callers: 0, store, counter, seen, node })
}

/// The file that this code was loaded from.
fn own_path() -> Option<PathBuf> {
    let own = own_path as *const c_void;
    let mut found = libc::Dl_info {
        dli_fname: std::ptr::null(),
        dli_fbase: std::ptr::null_mut(),
        dli_sname: std::ptr::null(),
        dli_saddr: std::ptr::null_mut(),
    };
    // SAFETY: `own` is an address in a loaded object and `found` is a place for the answer.
    let known = unsafe { libc::dladdr(own, &raw mut found) };
    if known == 0 || found.dli_fname.is_null() {
        return None;
    }
    // SAFETY: dladdr succeeded: the name ends with a zero and lives as long as the object is loaded.
    let name = unsafe { CStr::from_ptr(found.dli_fname) };
    Some(OsStr::from_bytes(name.to_bytes()).into())
}
