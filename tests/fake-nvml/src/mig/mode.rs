//! On and off.

use super::{Mig, MigError};
use crate::profiles::MigLayout;

/// What came of a change of mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// The mode is as asked.
    Active,
    /// It will be, after a reset (Ampere).
    WaitsForReset,
}

/// Turns MIG on or off on a GPU that `processes` run on.
///
/// # Errors
/// [`MigError::NotSupported`] without MIG; [`MigError::InUse`] while there are processes or instances.
pub fn set_mode(
    layout: Option<&MigLayout>,
    mig: &mut Mig,
    on: bool,
    processes: &[u32],
) -> Result<Change, MigError> {
    let layout = layout.ok_or(MigError::NotSupported)?;
    if mig.enabled == on {
        mig.pending = on;
        return Ok(Change::Active);
    }
    if !processes.is_empty() || !mig.instances.is_empty() {
        return Err(MigError::InUse);
    }
    mig.pending = on;
    if layout.mode_needs_reset {
        return Ok(Change::WaitsForReset);
    }
    mig.enabled = on;
    Ok(Change::Active)
}

/// What a reset of the GPU makes of its MIG side: the pending mode comes into force, all instances are gone.
pub fn reset(mig: &mut Mig) {
    *mig = Mig { enabled: mig.pending, pending: mig.pending, instances: Vec::new() };
}
