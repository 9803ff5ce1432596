//! Return codes.

use nix::errno::Errno;
use nvml_wrapper_sys::bindings::{self as sys, nvmlReturn_t};

use crate::{
    mig::MigError,
    state::{StoreError, UpdateError},
};

/// A return code other than success (`nvmlReturn_t`; `data/nvml-errors.json` tells what each means).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Code(pub nvmlReturn_t);

/// What the body of a function comes to.
pub type Answer<T = ()> = Result<T, Code>;

macro_rules! codes {
    ($($name:ident = $number:ident),* $(,)?) => {
        #[expect(missing_docs, reason = "the names are NVML's, without NVML_ERROR_")]
        impl Code {
            $(pub const $name: Self = Self(sys::$number);)*
        }
    };
}

codes! {
    UNINITIALIZED = nvmlReturn_enum_NVML_ERROR_UNINITIALIZED,
    INVALID_ARGUMENT = nvmlReturn_enum_NVML_ERROR_INVALID_ARGUMENT,
    NOT_SUPPORTED = nvmlReturn_enum_NVML_ERROR_NOT_SUPPORTED,
    NO_PERMISSION = nvmlReturn_enum_NVML_ERROR_NO_PERMISSION,
    NOT_FOUND = nvmlReturn_enum_NVML_ERROR_NOT_FOUND,
    INSUFFICIENT_SIZE = nvmlReturn_enum_NVML_ERROR_INSUFFICIENT_SIZE,
    DRIVER_NOT_LOADED = nvmlReturn_enum_NVML_ERROR_DRIVER_NOT_LOADED,
    TIMEOUT = nvmlReturn_enum_NVML_ERROR_TIMEOUT,
    FUNCTION_NOT_FOUND = nvmlReturn_enum_NVML_ERROR_FUNCTION_NOT_FOUND,
    GPU_IS_LOST = nvmlReturn_enum_NVML_ERROR_GPU_IS_LOST,
    RESET_REQUIRED = nvmlReturn_enum_NVML_ERROR_RESET_REQUIRED,
    LIB_RM_VERSION_MISMATCH = nvmlReturn_enum_NVML_ERROR_LIB_RM_VERSION_MISMATCH,
    IN_USE = nvmlReturn_enum_NVML_ERROR_IN_USE,
    NO_DATA = nvmlReturn_enum_NVML_ERROR_NO_DATA,
    INSUFFICIENT_RESOURCES = nvmlReturn_enum_NVML_ERROR_INSUFFICIENT_RESOURCES,
    ARGUMENT_VERSION_MISMATCH = nvmlReturn_enum_NVML_ERROR_ARGUMENT_VERSION_MISMATCH,
    UNKNOWN = nvmlReturn_enum_NVML_ERROR_UNKNOWN,
}

impl From<MigError> for Code {
    fn from(error: MigError) -> Self {
        match error {
            MigError::NotSupported => Self::NOT_SUPPORTED,
            MigError::InvalidArgument => Self::INVALID_ARGUMENT,
            MigError::NotFound => Self::NOT_FOUND,
            MigError::InsufficientResources => Self::INSUFFICIENT_RESOURCES,
            MigError::InUse => Self::IN_USE,
            MigError::ResetRequired => Self::RESET_REQUIRED,
        }
    }
}

impl From<StoreError> for Code {
    /// No state is a node without a driver; a state that may not be written lacks permission.
    fn from(error: StoreError) -> Self {
        let StoreError::File { source, .. } = error else { return Self::UNKNOWN };
        match source.raw_os_error().map(Errno::from_raw) {
            Some(Errno::ENOENT | Errno::ENOTDIR) => Self::DRIVER_NOT_LOADED,
            Some(Errno::EACCES | Errno::EPERM | Errno::EROFS) => Self::NO_PERMISSION,
            _ => Self::UNKNOWN,
        }
    }
}

impl From<UpdateError<Code>> for Code {
    fn from(error: UpdateError<Self>) -> Self {
        match error {
            UpdateError::Store(error) => error.into(),
            UpdateError::Refused(code) => code,
        }
    }
}
