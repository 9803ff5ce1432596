//! Where events come from: one file a kind of event; each gives a descriptor that becomes readable.
