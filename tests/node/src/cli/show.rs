//! `berth-node show`.
#![expect(clippy::print_stdout, reason = "this is what the command is for")]

use std::{fmt::Write, path::Path};

use super::Failure;
use crate::{machine::Machine, node::Node};

/// Prints what the node below `root` is.
pub(super) fn show(root: &Path, tree: bool) -> Result<(), Failure> {
    let node = Node::open(root)?;
    if tree {
        print!("{}", node.tree()?);
    } else {
        print!("{}", text(node.machine())?);
    }
    Ok(())
}

/// The machine in a few lines.
fn text(machine: &Machine) -> Result<String, std::fmt::Error> {
    let mut out = String::new();
    writeln!(out, "layout    {}", machine.layout)?;
    writeln!(out, "userland  {}", machine.userland)?;
    if let Some(unpacked) = &machine.unpacked {
        writeln!(out, "unpacked  {unpacked}")?;
    }
    let kernel = machine.kernel.as_ref().map_or_else(|| "not loaded".into(), ToString::to_string);
    writeln!(out, "kernel    {kernel}")?;
    for feature in &machine.features {
        writeln!(out, "with      {feature}")?;
    }
    for gpu in &machine.gpus {
        writeln!(out, "gpu {}     {}  {}  {}", gpu.minor, gpu.bus, gpu.uuid, gpu.name)?;
        for instance in machine.instances.iter().filter(|instance| instance.gpu == gpu.minor) {
            writeln!(out, "  cap {:<4} {}", instance.minor(), instance.capability())?;
        }
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        layout::Layout,
        machine::{self, DriverVersion, Instance},
    };

    #[test]
    fn a_node_is_told_in_a_few_lines() {
        let gpus = machine::place(&machine::parse_gpus("h200").expect("a board"), &[]).expect("a slot");
        let mut machine = Machine::new(Layout::Debian, DriverVersion::stand_in(), gpus);
        machine.instances.insert(Instance { gpu: 0, gi: 7, ci: None });
        assert_eq!(
            text(&machine).expect("text"),
            "layout    debian\nuserland  550.163.01\nkernel    550.163.01\n\
             gpu 0     0000:18:00.0  GPU-5f3c0a10-2335-4be7-9d05-000000000000  NVIDIA H200\n  \
             cap 66   gpu0/gi7/access\n"
        );
    }
}
