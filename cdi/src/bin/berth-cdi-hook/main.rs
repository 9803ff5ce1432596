//! The one OCI hook of a container with GPUs: reads the container's state on the standard input, changes its root.
//!
//! Exit status: 0 done or nothing to do, 1 the container must not start, 2 the command line is wrong.

use std::{
    ffi::OsString,
    io::{self, Write as _},
    path::Path,
    process::ExitCode,
};

use berth_cdi::{
    chain::chain,
    hook::{
        self,
        command::{self, Command, Request},
        container::Container,
        log::Log,
        run, state,
    },
};
use nix::sys::stat::{Mode, umask};

const USAGE: &str = "\
Usage: berth-cdi-hook create-container [FLAGS] < state.json

Run by a container runtime as createContainer hook, once a container.

  --link TARGET::LINK                make LINK say TARGET (repeatable)
  --link-if-present TARGET::LINK     the same if TARGET is in the container (repeatable)
  --folder DIR                       list DIR's libraries in the loader's cache (repeatable)
  --host-driver-version V            use the image's CUDA libraries if they are newer and allow it
  --host-cuda-version X.Y            the same by CUDA version
  --cuda-compat-container-root DIR   where the image keeps them (/usr/local/cuda/compat)
  --disable-device-node-modification the driver's libraries make no device nodes
  --update-application-profile       EGL and Vulkan see the container's GPUs alone

The hooks of nvidia-cdi-hook are understood too, with their flags.
BERTH_CDI_HOOK_DEBUG=true tells every step.
";

fn main() -> ExitCode {
    #[expect(clippy::disallowed_methods, reason = "the program's edge")]
    let verbose = std::env::var("BERTH_CDI_HOOK_DEBUG").is_ok_and(|value| value == "true" || value == "1");
    let mut log = Log::new(verbose);
    let words: Result<Vec<String>, OsString> =
        std::env::args_os().skip(1).map(OsString::into_string).collect();
    let words = match words {
        Ok(words) => words,
        Err(word) => return fail(&mut log, 2, &format!("{} is not UTF-8; correct the spec", word.display())),
    };
    match command::parse(&words) {
        Ok(Command::Perform(request)) => perform(&request, &mut log),
        Ok(Command::Nothing(why)) => {
            log.warn(&why);
            ExitCode::SUCCESS
        }
        Ok(Command::Version) => print(concat!("berth-cdi-hook ", env!("CARGO_PKG_VERSION"), "\n")),
        Ok(Command::Help) => print(USAGE),
        Err(error) => fail(&mut log, 2, &chain(&error)),
    }
}

fn perform(request: &Request, log: &mut Log) -> ExitCode {
    // Modes are meant as they are written.
    umask(Mode::empty());
    match hook::limit_time() {
        Ok(()) => {}
        Err(error) => return fail(log, 1, &format!("cannot limit the hook's time: {error}")),
    }
    let root = match state::root_of(io::stdin().lock()) {
        Ok(root) => root,
        Err(error) => return fail(log, 1, &chain(&error)),
    };
    let done = Container::open(Path::new(&root)).map_err(run::RunError::from);
    match done.and_then(|container| run::run(&container, request, log)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => fail(log, 1, &chain(&error)),
    }
}

fn print(text: &str) -> ExitCode {
    match io::stdout().write_all(text.as_bytes()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

fn fail(log: &mut Log, status: u8, text: &str) -> ExitCode {
    log.error(&text);
    ExitCode::from(status)
}
