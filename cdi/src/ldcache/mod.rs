//! The loader's cache, `/etc/ld.so.cache`.
