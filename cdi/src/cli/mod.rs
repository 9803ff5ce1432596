//! The command line of `berth-cdi`: arguments in, calls of the other rooms, text and an exit code out.
//!
//! Flags are those of `nvidia-ctk cdi generate` and `nvidia-ctk cdi list`, so that a script changes the program's name
//! alone; what is left out of them is answered with what to use instead (`left_out`).

mod args;
mod check;
mod completions;
mod exit;
mod generate;
mod left_out;
mod list;
mod plan;
mod terminal;
mod watch;

use std::ffi::OsString;

use clap::{CommandFactory, Parser};

pub use args::{Cli, Command};
pub use exit::Exit;

use terminal::Terminal;

/// Runs the program with its arguments, its own name first.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> Exit {
    let arguments: Vec<OsString> = left_out::without_group(arguments.into_iter().collect());
    let mut terminal = Terminal::of_process();
    if let Some(advice) = left_out::advice(&arguments) {
        terminal.error(&advice);
        return Exit::Usage;
    }
    match Cli::try_parse_from(&arguments) {
        Ok(cli) => dispatch(&cli, &arguments, terminal.quiet(cli.quiet).debug(cli.debug)),
        Err(error) => {
            let exit = if error.use_stderr() { Exit::Usage } else { Exit::Good };
            terminal.help(&error);
            exit
        }
    }
}

fn dispatch(cli: &Cli, arguments: &[OsString], mut terminal: Terminal) -> Exit {
    let own = arguments.get(1..).unwrap_or_default();
    match &cli.command {
        Command::Generate(arguments) => generate::run(arguments, &mut terminal),
        Command::Watch(arguments) => watch::run(arguments, own, terminal),
        Command::Check(arguments) => check::run(arguments, &mut terminal),
        Command::List(arguments) => list::run(arguments, &mut terminal),
        Command::Completions { shell } => completions::shell(*shell, &mut Cli::command(), &mut terminal),
        Command::Man => completions::man(&Cli::command(), &mut terminal),
    }
}
