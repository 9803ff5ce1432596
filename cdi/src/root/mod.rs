//! Paths below an injected root.
