//! The two encodings of a document.

use std::path::Path;

/// How a document is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// JSON, on one line.
    Json,
    /// YAML, in block style.
    Yaml,
}

impl Format {
    /// The extension by which runtimes know it; files with another one are not read.
    #[must_use]
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Yaml => "yaml",
        }
    }

    /// What a file of this name is read as: nothing but `.json` and `.yaml` is (`.yml` is not).
    #[must_use]
    pub fn of(path: &Path) -> Option<Self> {
        let extension = path.extension()?;
        [Self::Json, Self::Yaml].into_iter().find(|format| extension == format.extension())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_runtime_reads_json_and_yaml_and_nothing_else() {
        let cases = [
            ("/etc/cdi/a.json", Some(Format::Json)),
            ("nvidia.yaml", Some(Format::Yaml)),
            ("nvidia.yml", None),
            ("nvidia.YAML", None),
            (".nvidia.yaml.tmp", None),
            ("yaml", None),
            (".json", None),
        ];
        for (name, format) in cases {
            assert_eq!(Format::of(Path::new(name)), format, "{name}");
        }
    }
}
