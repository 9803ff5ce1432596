//! The hook as runtimes run it: its own process, a bundle on the disk, and images that mean no good.

mod bundle;
mod cache;
mod compat;
mod escapes;
mod hostile;
mod input;
mod library;
mod links;
mod oracle;
mod races;
mod settings;
