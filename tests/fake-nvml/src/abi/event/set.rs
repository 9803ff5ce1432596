//! Event sets.

use std::{
    collections::BTreeMap,
    sync::{PoisonError, RwLock, RwLockWriteGuard},
};

use crate::{
    abi::{
        code::{Answer, Code},
        handle::Device,
        node::Node,
        pointer::Out,
    },
    export,
    profiles::Product,
    state::{Event, EventLog},
};

/// Events of every driver: performance state, XID, clock.
const COMMON: u64 = 0x4 | 0x8 | 0x10;
/// Corrected and uncorrected memory errors.
const ECC: u64 = 0x1 | 0x2;
/// A change of MIG mode or instances.
const MIG: u64 = 0x100;
/// Row retirement and recovery actions, of newer drivers.
const RECOVERY: u64 = 0x400 | 0x800 | 0x8000;
/// First branch of the driver that tells of [`RECOVERY`].
const RECOVERY_SINCE: u32 = 575;

/// `nvmlEventSet_t`: a number, never an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(transparent)]
pub struct EventSet(usize);

/// One GPU that a set listens to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Listener {
    pub(super) minor: u32,
    kinds: u64,
    /// Number of the first event not seen.
    next: u64,
}

struct Sets {
    last: usize,
    open: BTreeMap<EventSet, Vec<Listener>>,
}

static SETS: RwLock<Sets> = RwLock::new(Sets { last: 0, open: BTreeMap::new() });

export! {
    /// A new set, without GPUs.
    fn nvmlEventSetCreate(set: Out<EventSet>) = _node => {
        let mut sets = sets();
        let new = EventSet(sets.last + 1);
        set.put(new)?;
        sets.last = new.0;
        sets.open.insert(new, Vec::new());
        Ok(())
    };

    /// Ends a set; who waits on it is told at the next event.
    fn nvmlEventSetFree(set: EventSet) = _node => {
        sets().open.remove(&set).map(drop).ok_or(Code::INVALID_ARGUMENT)
    };

    /// Listens to a whole GPU: to what happens from now on.
    fn nvmlDeviceRegisterEvents(device: Device, kinds: u64, set: EventSet) = node => {
        let whole = node.whole(device)?;
        if kinds & !supported(node, whole.product) != 0 {
            return Err(Code::NOT_SUPPORTED);
        }
        let mut sets = sets();
        let listeners = sets.open.get_mut(&set).ok_or(Code::INVALID_ARGUMENT)?;
        listen(listeners, whole.gpu.minor, kinds, node.state.events.count);
        Ok(())
    };

    /// What a whole GPU can tell of.
    fn nvmlDeviceGetSupportedEventTypes(device: Device, kinds: Out<u64>) = node => {
        kinds.put(supported(node, node.whole(device)?.product))
    };
}

fn sets() -> RwLockWriteGuard<'static, Sets> {
    SETS.write().unwrap_or_else(PoisonError::into_inner)
}

fn supported(node: &Node, product: &Product) -> u64 {
    let branch = node.state.driver.version.split('.').next().and_then(|branch| branch.parse().ok());
    let when = |is: bool, kinds: u64| if is { kinds } else { 0 };
    COMMON
        | when(product.ecc.is_some(), ECC)
        | when(product.mig.is_some(), MIG)
        | when(branch.is_some_and(|branch: u32| branch >= RECOVERY_SINCE), RECOVERY)
}

fn listen(listeners: &mut Vec<Listener>, minor: u32, kinds: u64, next: u64) {
    match listeners.iter_mut().find(|listener| listener.minor == minor) {
        Some(listener) => listener.kinds |= kinds,
        None => listeners.push(Listener { minor, kinds, next }),
    }
}

/// The next event for `set`, which then has seen it; or the GPUs that it listens to.
pub(super) fn next(set: EventSet, log: &EventLog) -> Answer<Result<Event, Vec<Listener>>> {
    let mut sets = sets();
    let listeners = sets.open.get_mut(&set).ok_or(Code::INVALID_ARGUMENT)?;
    Ok(take(listeners, log).ok_or_else(|| listeners.clone()))
}

fn take(listeners: &mut [Listener], log: &EventLog) -> Option<Event> {
    // A node made anew in the same place counts from the start.
    listeners.iter_mut().for_each(|listener| listener.next = listener.next.min(log.count));
    let first = listeners.iter().map(|listener| listener.next).min()?;
    let heard = |event: &&Event| {
        listeners.iter().any(|listener| {
            listener.minor == event.minor
                && listener.next <= event.number
                && listener.kinds & event.kind.bit() != 0
        })
    };
    let found = log.since(first).find(heard).cloned();
    let seen = found.as_ref().map_or(log.count, |event| event.number + 1);
    listeners.iter_mut().for_each(|listener| listener.next = listener.next.max(seen));
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::EventKind;

    #[test]
    fn a_set_gets_each_event_once_and_in_order() {
        let mut log = EventLog::default();
        log.push(0, EventKind::Xid(1), None);
        let mut listeners = Vec::new();
        listen(&mut listeners, 0, 8, log.count);
        listen(&mut listeners, 1, 8, log.count);
        listen(&mut listeners, 1, 0x100, log.count);
        log.push(1, EventKind::Xid(2), None);
        log.push(0, EventKind::MigConfig, None);
        log.push(1, EventKind::MigConfig, None);
        log.push(2, EventKind::Xid(4), None);
        let mut heard = || take(&mut listeners, &log).map(|event| (event.minor, event.kind));
        assert_eq!(heard(), Some((1, EventKind::Xid(2))), "what was before the set is not told");
        assert_eq!(heard(), Some((1, EventKind::MigConfig)));
        assert_eq!(heard(), None);
    }

    #[test]
    fn a_node_made_anew_is_heard() {
        let mut listeners = Vec::new();
        listen(&mut listeners, 0, 8, 40);
        let mut log = EventLog::default();
        assert_eq!(take(&mut listeners, &log), None);
        log.push(0, EventKind::Xid(79), None);
        assert_eq!(take(&mut listeners, &log).map(|event| event.kind), Some(EventKind::Xid(79)));
    }
}
