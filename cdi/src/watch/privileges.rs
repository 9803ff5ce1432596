//! Gives up what a daemon that was started as root does not need.

use caps::{CapSet, Capability, CapsHashSet, errors::CapsError};

/// What is kept, where it is had: looking into the folders of the driver's daemons, which have users of their own, and
/// the device nodes that NVML makes, by the driver's own program, where they are missing.
pub const KEPT: [Capability; 2] = [Capability::CAP_DAC_READ_SEARCH, Capability::CAP_MKNOD];

/// Capabilities could not be given up.
#[derive(Debug, thiserror::Error)]
#[error("cannot give up capabilities; run without security modules that forbid it")]
pub struct PrivilegesError(#[source] CapsError);

/// Keeps of the capabilities of this thread, and of all programs that it starts, only those of `kept`; to be called
/// before any other thread is started.
///
/// # Errors
/// [`PrivilegesError`] names the system's reason; some may be gone by then.
pub fn keep_only(kept: &[Capability]) -> Result<(), PrivilegesError> {
    let kept: CapsHashSet = kept.iter().copied().collect();
    let had = caps::read(None, CapSet::Permitted).map_err(PrivilegesError)?;
    drop_bounding(&kept, &had)?;
    let left: CapsHashSet = had.intersection(&kept).copied().collect();
    let none = CapsHashSet::new();
    caps::set(None, CapSet::Inheritable, &none).map_err(PrivilegesError)?;
    caps::set(None, CapSet::Effective, &left).map_err(PrivilegesError)?;
    caps::set(None, CapSet::Permitted, &left).map_err(PrivilegesError)
}

/// The bounding set caps what started programs get; shrinking it takes a capability of its own.
fn drop_bounding(kept: &CapsHashSet, had: &CapsHashSet) -> Result<(), PrivilegesError> {
    if !had.contains(&Capability::CAP_SETPCAP) {
        return Ok(());
    }
    let bounding = caps::read(None, CapSet::Bounding).map_err(PrivilegesError)?;
    for capability in bounding.difference(kept) {
        caps::drop(None, CapSet::Bounding, *capability).map_err(PrivilegesError)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Capabilities belong to a thread, and each test has one of its own.
    #[test]
    fn only_what_is_kept_is_left_and_nothing_comes_back() {
        let had = caps::read(None, CapSet::Permitted).expect("capabilities");
        keep_only(&KEPT).expect("fewer capabilities");
        for set in [CapSet::Permitted, CapSet::Effective] {
            let left = caps::read(None, set).expect("capabilities");
            assert!(left.is_subset(&had) && left.is_subset(&KEPT.iter().copied().collect()), "{left:?}");
        }
        keep_only(&[]).expect("none");
        assert_eq!(caps::read(None, CapSet::Permitted).expect("capabilities"), CapsHashSet::new());
        if had.contains(&Capability::CAP_MKNOD) {
            caps::raise(None, CapSet::Effective, Capability::CAP_MKNOD).expect_err("given up");
        }
    }
}
