//! What the room promises, over documents.

mod parsing;
mod rendering;
mod simplifying;
mod validating;
mod versioning;
