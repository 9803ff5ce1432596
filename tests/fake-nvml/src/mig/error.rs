//! Why MIG says no.

/// Why a change was refused; nothing has changed then.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum MigError {
    /// The board has no MIG, its mode is off, or it lacks the profile.
    #[error(
        "not supported: the board has no MIG, its mode is off, or it lacks the profile; see nvidia-smi mig -lgip"
    )]
    NotSupported,
    /// A number out of range, or a placement that the profile does not have.
    #[error("invalid argument: no such number or placement; see nvidia-smi mig -lgipp")]
    InvalidArgument,
    /// No such instance.
    #[error("no such instance; see nvidia-smi mig -lgi")]
    NotFound,
    /// No slices or engines left.
    #[error("no room for one more; destroy an instance first")]
    InsufficientResources,
    /// Holds instances or processes.
    #[error("in use; destroy what it holds and end its processes first")]
    InUse,
    /// Waits for a reset.
    #[error("the GPU must be reset first")]
    ResetRequired,
}
