//! Completions and the man page, made from the same description as the parser.

use clap_complete::Shell;

use super::{Exit, Terminal};

/// Prints completions for `shell`.
pub(super) fn shell(shell: Shell, command: &mut clap::Command, terminal: &mut Terminal) -> Exit {
    let mut text = Vec::new();
    clap_complete::generate(shell, command, "berth-cdi", &mut text);
    printed(terminal.print(&text))
}

/// Prints the man page, a section for each command.
pub(super) fn man(command: &clap::Command, terminal: &mut Terminal) -> Exit {
    let mut text = Vec::new();
    let commands = command.get_subcommands().filter(|sub| !sub.is_hide_set());
    let pages = std::iter::once(command).chain(commands);
    for page in pages.map(|page| clap_mangen::Man::new(page.clone())) {
        if let Err(error) = page.render(&mut text) {
            terminal.failure(&error);
            return Exit::Failed;
        }
    }
    printed(terminal.print(&text))
}

fn printed(whole: bool) -> Exit {
    if whole { Exit::Good } else { Exit::Failed }
}
