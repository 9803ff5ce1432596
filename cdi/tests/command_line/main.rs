//! The program as a person or a script uses it: arguments and environment in, output and exit code out.

mod checking;
mod generating;
mod helping;
mod run;
