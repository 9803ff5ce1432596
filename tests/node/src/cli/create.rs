//! `berth-node create`.

use berth_packages::Cache;

use super::{
    Failure,
    arguments::{CreateArguments, Driver, MigOf},
    complain, remark,
};
use crate::{
    driver::nvml_library,
    machine::{self, DriverVersion},
    node::{DriverSource, Node, Recipe},
    nvml::MigChange,
};

/// Makes the node and tells what it is made of.
pub(super) fn create(arguments: &CreateArguments) -> Result<(), Failure> {
    let stand_in = Driver::StandIn(DriverVersion::stand_in());
    let named = matches!(arguments.driver, Driver::StandIn(_));
    let driver = if arguments.stand_in && !named { &stand_in } else { &arguments.driver };
    let recipe = Recipe {
        layout: arguments.layout,
        driver: source(driver)?,
        gpus: machine::place(&machine::parse_gpus(&arguments.gpus.join(","))?, &[])?,
        features: arguments.features.clone(),
        programs: arguments.install.clone(),
        mig: arguments.mig.iter().map(mig).collect(),
        nvml: match &arguments.nvml {
            _ if arguments.no_nvml => None,
            Some(path) => Some(path.clone()),
            None => Some(nvml_library::beside_program()?),
        },
    };
    let node = Node::create(&arguments.root, &recipe)?;
    let machine = node.machine();
    let (layout, driver, gpus) = (machine.layout, &machine.userland, machine.gpus.len());
    remark(&format!("{}: {layout} node with driver {driver}, {gpus} gpus", arguments.root.display()));
    Ok(())
}

fn mig(of: &MigOf) -> (u32, Vec<MigChange>) {
    let instances = of.instances.iter().cloned().map(MigChange::Create);
    (of.gpu, std::iter::once(MigChange::Enable).chain(instances).collect())
}

/// Where the files of `driver` come from.
pub(super) fn source(driver: &Driver) -> Result<DriverSource, Failure> {
    match driver {
        Driver::StandIn(version) => Ok(DriverSource::StandIn(version.clone())),
        Driver::Folder(folder) => Ok(DriverSource::Unpacked(folder.clone())),
        Driver::Branch(branch) => match branch.unpacked(&Cache::of_user()) {
            Ok(folder) => Ok(DriverSource::Unpacked(folder)),
            Err(error) => {
                complain(&error.into());
                let version = branch.stand_in()?;
                remark(&format!("using stand-ins of driver {version} instead; --stand-in asks for them"));
                Ok(DriverSource::StandIn(version))
            }
        },
    }
}
