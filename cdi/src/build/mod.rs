//! From a snapshot of the host to a spec.
