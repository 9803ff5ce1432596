//! Reading a document: strict, and bounded in size and depth before anything is built from it.

use super::{Format, Spec, validate::Fault};

/// Largest document that is read, in bytes. A node of 16 GPUs with 7 MIG devices each comes to about 300 KB.
pub const MAX_BYTES: usize = 8 << 20;

/// Deepest nesting that is read; the model itself has eight levels.
pub const MAX_DEPTH: usize = 32;

/// Most values and keys of a YAML document, so that aliases cannot multiply.
const MAX_NODES: usize = 1 << 20;

/// Why bytes are no valid document.
#[derive(Debug, thiserror::Error)]
pub enum SpecError {
    /// Longer than [`MAX_BYTES`].
    #[error("spec has {0} bytes, at most {MAX_BYTES} are read")]
    TooLarge(usize),
    /// Not UTF-8.
    #[error("spec is no text; write it again as utf-8")]
    NotText(#[source] std::str::Utf8Error),
    /// Not JSON, or not the fields and values of CDI.
    #[error("spec is no cdi document in json; correct it or generate it again")]
    Json(#[source] serde_json::Error),
    /// Not YAML, or not the fields and values of CDI.
    #[error("spec is no cdi document in yaml; correct it or generate it again")]
    Yaml(#[source] Box<serde_saphyr::Error>),
    /// A rule of CDI is broken.
    #[error(transparent)]
    Invalid(#[from] Fault),
}

impl Spec {
    /// Reads a document. Unknown fields, repeated fields and ids that break the grammar are refused, with their line
    /// and column; further rules are [`super::validate`]'s.
    ///
    /// # Errors
    /// [`SpecError`], anything but [`SpecError::Invalid`].
    pub fn parse(bytes: &[u8], format: Format) -> Result<Self, SpecError> {
        if bytes.len() > MAX_BYTES {
            return Err(SpecError::TooLarge(bytes.len()));
        }
        match format {
            Format::Json => serde_json::from_slice(bytes).map_err(SpecError::Json),
            Format::Yaml => yaml(std::str::from_utf8(bytes).map_err(SpecError::NotText)?),
        }
    }
}

fn yaml(text: &str) -> Result<Spec, SpecError> {
    let options = serde_saphyr::options! {
        budget: serde_saphyr::budget! {
            max_depth: MAX_DEPTH,
            flow_nesting_limit: MAX_DEPTH,
            max_nodes: MAX_NODES,
            max_total_scalar_bytes: MAX_BYTES,
            max_documents: 1,
        },
        // The runtimes' reader takes "0666" for an octal number.
        legacy_octal_numbers: true,
        with_snippet: false,
    };
    serde_saphyr::from_str_with_options(text, options).map_err(|error| SpecError::Yaml(Box::new(error)))
}
