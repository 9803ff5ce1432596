//! Regenerates when the node changes.
