//! Names the library as NVIDIA's is named, so that a program linked or loaded against it finds this one.

fn main() {
    println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libnvidia-ml.so.1");
    println!("cargo::rerun-if-changed=build.rs");
}
