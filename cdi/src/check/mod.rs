//! Findings in the spec files of a host.
