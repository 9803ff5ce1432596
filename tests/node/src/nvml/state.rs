//! From the machine to NVML's state, and back what NVML alone decides.

use std::{collections::BTreeSet, path::Path};

use berth_fake_nvml::state::{GpuConfig, NodeConfig, Options, State};

use crate::machine::{DriverVersion, Gpu, Instance, Machine};

/// CUDA versions that driver branches run, from NVIDIA's table of driver releases.
const CUDA: [(&str, (u16, u16)); 5] =
    [("535", (12, 2)), ("545", (12, 3)), ("550", (12, 4)), ("570", (12, 8)), ("580", (13, 0))];

/// What NVML's state of a new machine below `root` is made from. On the node NVML lists all GPUs, in a
/// container those whose nodes can be opened: there the node's record is out of sight.
#[must_use]
pub fn config(machine: &Machine, root: &Path) -> NodeConfig {
    let version = machine.kernel.as_ref().unwrap_or(&machine.userland);
    NodeConfig {
        driver_version: version.to_string(),
        cuda_version: cuda(version),
        gpus: machine.gpus.iter().map(gpu_config).collect(),
        options: Options {
            visible_by_device_nodes: true,
            node_mark: Some(root.join(".berth-node/node.json")),
            ..Options::default()
        },
        ..NodeConfig::uniform("", 0)
    }
}

/// The highest CUDA version of a driver: major, minor.
pub(crate) fn cuda(version: &DriverVersion) -> (u16, u16) {
    let known = CUDA.iter().find(|(branch, _)| *branch == version.branch());
    known.map_or((12, 4), |(_, cuda)| *cuda)
}

/// What NVML's state of a new GPU is made from.
#[must_use]
pub fn gpu_config(gpu: &Gpu) -> GpuConfig {
    GpuConfig {
        product: gpu.product.clone(),
        pci: Some(gpu.bus),
        minor: Some(gpu.minor),
        uuid: Some(gpu.uuid.clone()),
        display: gpu.class == 0x0300,
        numa_node: Some(gpu.numa),
        mig: false,
    }
}

/// The MIG instances that NVML has, by the numbers of capability files.
#[must_use]
pub fn instances(state: &State) -> BTreeSet<Instance> {
    let gpus = state.gpus.iter().filter(|gpu| gpu.is_counted());
    let per_gpu = gpus.flat_map(|gpu| gpu.mig.instances.iter().map(move |instance| (gpu.minor, instance)));
    per_gpu
        .flat_map(|(gpu, instance)| {
            let compute = instance.compute.iter().map(|compute| Some(compute.id));
            std::iter::once(None).chain(compute).map(move |ci| Instance { gpu, gi: instance.id, ci })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{layout::Layout, machine};

    #[test]
    fn nvml_knows_the_machines_gpus_by_their_own_numbers() {
        let gpus = machine::place(&machine::parse_gpus("2xh200").expect("boards"), &[]).expect("slots");
        let machine = Machine::new(Layout::Debian, "535.261.03".parse().expect("a version"), gpus);
        let state = config(&machine, Path::new("/r")).state().expect("a state");
        assert_eq!((state.driver.version.as_str(), state.driver.cuda), ("535.261.03", 12020));
        for (known, gpu) in state.gpus.iter().zip(&machine.gpus) {
            assert_eq!((known.minor, known.pci, &known.uuid), (gpu.minor, gpu.bus, &gpu.uuid));
        }
    }
}
