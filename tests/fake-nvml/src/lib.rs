//! A libnvidia-ml.so.1 without a GPU: state in a directory, shared between processes.
