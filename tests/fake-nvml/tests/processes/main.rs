//! Processes that load the library as any program does.

mod common;
mod sharing;
mod visible;
