//! The loop that carries out what was decided.
