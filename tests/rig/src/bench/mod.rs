//! The benchmarks: Berth beside NVIDIA's container toolkit.
