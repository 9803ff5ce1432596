//! Packages of the distribution, fetched and unpacked beside the system.
