//! Processes that load the library as any program does.

mod common;
mod detail;
mod events;
mod sharing;
mod visible;
