//! The one form in which functions are exported.

/// Exports functions of NVML; see [`crate`] for how one looks.
///
/// `fn a | b | c (..)` exports one body under several names; faults are looked up under the name that was called.
#[macro_export]
macro_rules! export {
    ($(
        $(#[$doc:meta])*
        fn $($name:ident)|+ ($($args:tt)*) = $node:pat => $body:expr;
    )*) => {
        $( $crate::export_names! { [$(#[$doc])*] [$($name)+] ($($args)*) [$node] [$body] } )*
    };
}

/// One function under each of its names; part of [`export!`].
#[doc(hidden)]
#[macro_export]
macro_rules! export_names {
    ($doc:tt [$($name:ident)+] $args:tt $node:tt $body:tt) => {
        $( $crate::export_name! { $doc $name $args $node $body } )+
    };
}

/// One exported function; part of [`export!`].
#[doc(hidden)]
#[macro_export]
macro_rules! export_name {
    ([$(#[$doc:meta])*] $name:ident ($($arg:ident : $kind:ty),* $(,)?) [$node:pat] [$body:expr]) => {
        $(#[$doc])*
        #[unsafe(no_mangle)]
        pub extern "C" fn $name($($arg: $kind),*) -> nvml_wrapper_sys::bindings::nvmlReturn_t {
            $crate::abi::call::call(stringify!($name), |$node| $body)
        }
    };
}
