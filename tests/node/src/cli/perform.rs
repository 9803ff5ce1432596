//! From what was asked for to what is done.
#![expect(clippy::disallowed_types, reason = "`enter` becomes another program")]

use std::{ffi::OsString, os::unix::process::CommandExt, path::Path, process::Command as Program};

use berth_fake_nvml::state::EventKind;

use super::{
    Failure,
    arguments::{Command, EventCommand, HotplugCommand, LoadArguments, MigCommand},
    create, faults, remark, show,
};
use crate::{NodeError, change, enter, machine, node::Node, nvml::MigChange};

/// Does it.
pub(super) fn perform(command: Command) -> Result<(), Failure> {
    match command {
        Command::Create(arguments) => create::create(&arguments)?,
        Command::Show { root, tree } => show::show(&root, tree)?,
        Command::Enter { root, program } => enter(&root, &program)?,
        Command::Mig { root, change } => mig(&root, &change)?,
        Command::Reset { root, gpu } => change::reset(&mut Node::open(&root)?, gpu)?,
        Command::Sync { root } => Node::open(&root)?.sync()?,
        Command::Event { root, event } => tell(&Node::open(&root)?, &event)?,
        Command::Fault(arguments) => faults::perform(arguments)?,
        Command::Reload(LoadArguments { root, uvm_major }) => {
            change::reload(&mut Node::open(&root)?, uvm_major)?;
        }
        Command::Load(LoadArguments { root, uvm_major }) => change::load(&mut Node::open(&root)?, uvm_major)?,
        Command::Unload { root } => change::unload(&mut Node::open(&root)?)?,
        Command::Upgrade { root, driver, stop_after } => {
            let version = change::upgrade(&mut Node::open(&root)?, &create::source(&driver)?, stop_after)?;
            remark(&format!("driver {version} is {stop_after}"));
        }
        Command::Hotplug { root, change } => hotplug(&root, &change)?,
        Command::Socket { root, change, feature } => {
            change::feature(&mut Node::open(&root)?, feature, change == "add")?;
        }
        Command::Destroy { root } => Node::open(&root)?.destroy()?,
    }
    Ok(())
}

fn enter(root: &Path, program: &[OsString]) -> Result<(), Failure> {
    enter::become_machine(root)?;
    let (name, arguments) = program.split_first().ok_or("no program was named")?;
    let error = Program::new(name).args(arguments).exec();
    Err(format!("cannot run {}: {error}", name.display()).into())
}

fn mig(root: &Path, command: &MigCommand) -> Result<(), Failure> {
    let mut node = Node::open(root)?;
    match command {
        MigCommand::Enable { gpu } => change::mig(&mut node, *gpu, &MigChange::Enable)?,
        MigCommand::Disable { gpu } => change::mig(&mut node, *gpu, &MigChange::Disable)?,
        MigCommand::Destroy { gpu, instance } => {
            change::mig(&mut node, *gpu, &MigChange::Destroy(*instance))?;
        }
        MigCommand::Create { gpu, profiles } => profiles
            .iter()
            .try_for_each(|profile| change::mig(&mut node, *gpu, &MigChange::Create(profile.clone())))?,
    }
    Ok(())
}

fn tell(node: &Node, event: &EventCommand) -> Result<(), NodeError> {
    match event {
        EventCommand::Xid { gpu, xid } => change::event(node, *gpu, EventKind::Xid(*xid)),
        EventCommand::Ecc { gpu, uncorrected } => change::memory_error(node, *gpu, !uncorrected),
    }
}

fn hotplug(root: &Path, command: &HotplugCommand) -> Result<(), Failure> {
    let mut node = Node::open(root)?;
    match command {
        HotplugCommand::Add { gpus } => {
            let placed = machine::place(&machine::parse_gpus(gpus)?, &node.machine().gpus)?;
            placed.iter().try_for_each(|gpu| change::add(&mut node, gpu))?;
        }
        HotplugCommand::Remove { gpu } => change::remove(&mut node, *gpu)?,
    }
    Ok(())
}
