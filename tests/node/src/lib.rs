//! A simulated GPU node: a host tree under a root, and the tool that drives it.
