//! Placeholder entry point, replaced as the program grows.

fn main() {}
