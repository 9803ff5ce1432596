//! Spec files, replaced whole.
