//! Reading the command line: `--flag value`, `--flag=value`, one dash or two.

use std::path::{Path, PathBuf};

use super::{
    Command, CompatRequest, Link, Request,
    flags::{self, Flag},
};

/// Why a command line is none.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CommandError {
    /// Not one of the hook's.
    #[error("{hook} has no flag --{flag}; generate the spec again with this version")]
    UnknownFlag {
        /// Name of the hook.
        hook: String,
        /// Without dashes.
        flag: String,
    },
    /// The line ends behind a flag.
    #[error("--{0} wants a value")]
    NoValue(String),
    /// A switch takes true and false.
    #[error("--{flag} is true or false, not {value:?}")]
    NoSwitch {
        /// Without dashes.
        flag: String,
        /// As given.
        value: String,
    },
    /// Words without a flag.
    #[error("{hook} takes flags alone, not {word:?}")]
    Word {
        /// Name of the hook.
        hook: String,
        /// As given.
        word: String,
    },
    /// Links are written `TARGET::LINK`, the latter absolute and with a name.
    #[error("{0:?} is no link; write TARGET::/absolute/path/of/the/link")]
    Link(String),
    /// Folders are absolute.
    #[error("{0:?} is no absolute path")]
    Folder(String),
}

/// The command of a line without the program's name.
///
/// # Errors
/// [`CommandError`] when a known hook gets a flag or value that it cannot have.
pub fn parse(words: &[String]) -> Result<Command, CommandError> {
    let mut words = words.iter().map(String::as_str).peekable();
    words.next_if_eq(&"hook");
    for word in words.by_ref() {
        match word.trim_start_matches('-') {
            "version" | "v" => return Ok(Command::Version),
            "help" | "h" => return Ok(Command::Help),
            hook if hook.len() < word.len() => {}
            "noop" => return Ok(Command::Nothing("the noop hook does nothing".into())),
            hook => {
                return match flags::of(hook) {
                    Some(known) => request(hook, known, words).map(|request| command(hook, request)),
                    None => Ok(Command::Nothing(format!("hook {hook:?} is not known to this version"))),
                };
            }
        }
    }
    Ok(Command::Nothing("no hook is named".into()))
}

fn request<'a>(
    hook: &str,
    known: &[(&str, Flag)],
    mut words: impl Iterator<Item = &'a str>,
) -> Result<Request, CommandError> {
    let mut request = empty(hook);
    while let Some(word) = words.next() {
        let name = word.strip_prefix("--").or_else(|| word.strip_prefix('-'));
        let name = name.ok_or_else(|| CommandError::Word { hook: hook.into(), word: word.into() })?;
        let (name, value) = name.split_once('=').map_or((name, None), |(name, value)| (name, Some(value)));
        let flag = known.iter().find(|(known, _)| *known == name).map(|(_, flag)| *flag);
        let flag = flag.ok_or_else(|| CommandError::UnknownFlag { hook: hook.into(), flag: name.into() })?;
        if flag.is_switch() {
            switch(&mut request, flag, name, value)?;
        } else {
            let value = value.or_else(|| words.next()).ok_or_else(|| CommandError::NoValue(name.into()))?;
            set(&mut request, flag, value)?;
        }
    }
    Ok(request)
}

/// NVIDIA's hook of that name is off by default there too; folders of `/dev` have their mode from the runtime.
fn command(hook: &str, request: Request) -> Command {
    if hook == "chmod" {
        Command::Nothing("the chmod hook does nothing".into())
    } else {
        Command::Perform(request)
    }
}

/// What a hook does without any flag.
fn empty(hook: &str) -> Request {
    Request {
        cache: (hook == "update-ldcache").then(Vec::new),
        keep_device_nodes: hook == "disable-device-node-modification",
        application_profile: hook == "update-application-profile",
        ..Request::default()
    }
}

fn switch(request: &mut Request, flag: Flag, name: &str, value: Option<&str>) -> Result<(), CommandError> {
    let on = match value {
        None | Some("true") => true,
        Some("false") => false,
        Some(value) => return Err(CommandError::NoSwitch { flag: name.into(), value: value.into() }),
    };
    if flag == Flag::KeepDeviceNodes {
        request.keep_device_nodes = on;
    } else {
        request.application_profile = on;
    }
    Ok(())
}

fn set(request: &mut Request, flag: Flag, value: &str) -> Result<(), CommandError> {
    let compat = |request: &mut Request, set: fn(&mut CompatRequest, String)| {
        set(request.compat.get_or_insert_default(), value.into());
    };
    match flag {
        Flag::Link => request.links.push(link(value)?),
        Flag::LinkIfPresent => request.links_if_present.push(link(value)?),
        Flag::Folder => request.cache.get_or_insert_default().push(folder(value)?),
        Flag::HostDriver => compat(request, |compat, value| compat.host_driver = Some(value)),
        Flag::HostCuda => compat(request, |compat, value| compat.host_cuda = Some(value)),
        Flag::CompatFolder => request.compat.get_or_insert_default().folder = folder(value)?,
        Flag::KeepDeviceNodes | Flag::ApplicationProfile | Flag::Unused => {}
    }
    Ok(())
}

fn link(value: &str) -> Result<Link, CommandError> {
    let (target, link) = value.split_once("::").ok_or_else(|| CommandError::Link(value.into()))?;
    let link = PathBuf::from(link);
    if target.is_empty() || !link.is_absolute() || link.file_name().is_none() || value.contains('\0') {
        return Err(CommandError::Link(value.into()));
    }
    Ok(Link { target: target.into(), link })
}

/// Folders end up as lines of `ld.so.conf`, where `#` and a line's end have a meaning.
fn folder(value: &str) -> Result<PathBuf, CommandError> {
    let path = Path::new(value);
    if !path.is_absolute() || value.contains(['\n', '\0', '#', '=', ':']) {
        return Err(CommandError::Folder(value.into()));
    }
    Ok(path.into())
}

#[cfg(test)]
mod tests;
