//! Real runtimes, the demonstration and the benchmarks, on a simulated node.
