//! Observes the host; chooses nothing.
