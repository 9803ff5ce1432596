//! Which flags each hook has.

/// What a flag means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Flag {
    Link,
    LinkIfPresent,
    Folder,
    HostDriver,
    HostCuda,
    CompatFolder,
    KeepDeviceNodes,
    ApplicationProfile,
    /// Of NVIDIA's hook, without a meaning here: with a value.
    Unused,
}

/// The hooks by name; each with its flags.
const HOOKS: [(&str, &[(&str, Flag)]); 7] = [
    (
        "create-container",
        &[
            ("link", Flag::Link),
            ("link-if-present", Flag::LinkIfPresent),
            ("folder", Flag::Folder),
            ("host-driver-version", Flag::HostDriver),
            ("host-cuda-version", Flag::HostCuda),
            ("cuda-compat-container-root", Flag::CompatFolder),
            ("disable-device-node-modification", Flag::KeepDeviceNodes),
            ("update-application-profile", Flag::ApplicationProfile),
        ],
    ),
    ("create-symlinks", &[("link", Flag::Link)]),
    ("update-ldcache", &[("folder", Flag::Folder), ("ldconfig-path", Flag::Unused)]),
    (
        "enable-cuda-compat",
        &[
            ("host-driver-version", Flag::HostDriver),
            ("host-cuda-version", Flag::HostCuda),
            ("cuda-compat-container-root", Flag::CompatFolder),
        ],
    ),
    ("disable-device-node-modification", &[]),
    ("update-application-profile", &[]),
    ("chmod", &[("path", Flag::Unused), ("mode", Flag::Unused)]),
];

/// The flags of a hook, if it is one.
pub(super) fn of(hook: &str) -> Option<&'static [(&'static str, Flag)]> {
    HOOKS.iter().find(|(name, _)| *name == hook).map(|(_, flags)| *flags)
}

impl Flag {
    /// Whether it stands alone, or with `=true` or `=false`.
    pub(super) fn is_switch(self) -> bool {
        matches!(self, Self::KeepDeviceNodes | Self::ApplicationProfile)
    }
}
