//! The tasks of a request, in the order in which they build on each other.

use std::{
    error::Error,
    path::{Component, Path, PathBuf},
};

use super::{
    cache,
    command::{CompatRequest, Link, Request},
    compat::{self, Verdict},
    container::{Container, ContainerError},
    log::Log,
    params::{self, ParamsError},
    profile,
    severity::{Severity, Task, severity},
};
use crate::chain::chain;

/// A failure that stops the container.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// Links or the cache.
    #[error(transparent)]
    Container(#[from] ContainerError),
    /// The driver's settings.
    #[error(transparent)]
    Params(#[from] ParamsError),
}

impl RunError {
    fn is_kept(&self) -> bool {
        match self {
            Self::Container(error) | Self::Params(ParamsError::Container(error)) => error.is_kept(),
            Self::Params(ParamsError::Mount(_)) => false,
        }
    }
}

/// Does what is asked; a repeat finds everything done and changes nothing.
///
/// # Errors
/// The first failure that stops the container ([`severity`] has the table); others are told on `log`.
pub fn run(container: &Container, request: &Request, log: &mut Log) -> Result<(), RunError> {
    for link in &request.links {
        settle(Task::Link, container.put_link(&link.link, &link.target), log)?;
    }
    for link in request.links_if_present.iter().filter(|link| leads_somewhere(container, link)) {
        settle(Task::OptionalLink, container.put_link(&link.link, &link.target), log)?;
    }
    if let Some(compat) = &request.compat {
        settle(Task::Compat, choose_libraries(container, compat, log), log)?;
    }
    if let Some(folders) = &request.cache {
        let kept: Vec<&Path> = request.links.iter().map(|link| link.link.as_path()).collect();
        settle(Task::Cache, cache::update(container, folders, &kept, log), log)?;
    }
    if request.keep_device_nodes {
        settle(Task::DeviceNodes, params::keep_device_nodes(container), log)?;
    }
    if request.application_profile {
        settle(Task::Profile, profile::update(container), log)?;
    }
    Ok(())
}

fn settle<E: Into<RunError>>(task: Task, outcome: Result<bool, E>, log: &mut Log) -> Result<(), RunError> {
    match outcome.map_err(Into::into) {
        Ok(changed) => {
            log.note(&format!("{task:?}: {}", if changed { "changed" } else { "nothing to do" }));
            Ok(())
        }
        Err(error) => match severity(task, error.is_kept()) {
            Severity::Stops => Err(error),
            Severity::IsTold => {
                log.warn(&chain(&error as &dyn Error));
                Ok(())
            }
        },
    }
}

/// Whether the target, seen from the link's folder, is in the container.
fn leads_somewhere(container: &Container, link: &Link) -> bool {
    let folder = link.link.parent().unwrap_or_else(|| Path::new("/"));
    // The folder itself may be missing still: `..` of it is taken away by name.
    let mut path = PathBuf::new();
    for step in folder.join(&link.target).components() {
        if step == Component::ParentDir {
            path.pop();
        } else {
            path.push(step);
        }
    }
    container.has(&path)
}

fn choose_libraries(
    container: &Container,
    request: &CompatRequest,
    log: &mut Log,
) -> Result<bool, ContainerError> {
    let version = |text: &Option<String>| text.as_ref().and_then(|text| text.parse().ok());
    let (driver, cuda) = (version(&request.host_driver), version(&request.host_cuda));
    let candidate = compat::look(container, request)?;
    let folder = match candidate.map(|candidate| compat::decide(&candidate, driver, cuda)) {
        Some(Verdict::Image) => Some(request.folder.as_path()),
        Some(Verdict::Host(why)) => {
            log.note(&why);
            None
        }
        None => None,
    };
    cache::name_compat(container, folder)
}
