//! Which failures stop a container, and which ones are only told.

/// What failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Task {
    /// A link that programs need.
    Link,
    /// A link that is made where it makes sense.
    OptionalLink,
    /// Naming the image's CUDA libraries, or looking at them.
    Compat,
    /// The loader's cache.
    Cache,
    /// The driver's setting about device nodes.
    DeviceNodes,
    /// The driver's application profile.
    Profile,
}

/// What a failure means for the container.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    /// It does not start.
    Stops,
    /// It starts, and the failure is told.
    IsTold,
}

/// `is_kept`: the place cannot be changed by somebody's intent: read-only, mounted there, or the host's own folder.
///
/// | task | read-only or kept place | any other failure |
/// |---|---|---|
/// | link | told | stops |
/// | link if present | told | told |
/// | CUDA forward compatibility | told | told |
/// | loader's cache | told | stops |
/// | device nodes | told | stops |
/// | application profile | told | told |
///
/// A container that was made read-only was made so on purpose, and its programs may well find the libraries by
/// `LD_LIBRARY_PATH`. Without its links or cache on a writable root it would start and fail later for no visible reason.
#[must_use]
pub fn severity(task: Task, is_kept: bool) -> Severity {
    match task {
        Task::Link | Task::Cache | Task::DeviceNodes if !is_kept => Severity::Stops,
        Task::Link | Task::Cache | Task::DeviceNodes | Task::OptionalLink | Task::Compat | Task::Profile => {
            Severity::IsTold
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_programs_cannot_do_without_stops_a_container() {
        for (task, kept, other) in [
            (Task::Link, Severity::IsTold, Severity::Stops),
            (Task::OptionalLink, Severity::IsTold, Severity::IsTold),
            (Task::Compat, Severity::IsTold, Severity::IsTold),
            (Task::Cache, Severity::IsTold, Severity::Stops),
            (Task::DeviceNodes, Severity::IsTold, Severity::Stops),
            (Task::Profile, Severity::IsTold, Severity::IsTold),
        ] {
            assert_eq!((severity(task, true), severity(task, false)), (kept, other), "{task:?}");
        }
    }
}
