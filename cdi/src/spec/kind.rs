//! Kinds of devices: `vendor/class`, such as `nvidia.com/gpu`.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use super::DeviceName;

/// Vendor and class; shown as `vendor/class`.
///
/// Both start with a letter, end with a letter or digit, and hold letters, digits, `_`, `-` and `.` between.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Kind {
    vendor: String,
    class: String,
}

/// Why a string is no [`Kind`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum KindError {
    /// There are not two parts.
    #[error("kind {0:?} is not of the form vendor/class")]
    Form(String),
    /// A part breaks the grammar.
    #[error(
        "{part} {text:?} of a kind wants a letter first, a letter or digit last, and letters, digits, '_', '-' or '.' between"
    )]
    Part {
        /// Which part: `vendor` or `class`.
        part: &'static str,
        /// What stands there.
        text: String,
    },
}

impl Kind {
    /// Puts the two parts together.
    ///
    /// # Errors
    /// [`KindError::Part`] names the part that breaks the grammar.
    pub fn new(vendor: &str, class: &str) -> Result<Self, KindError> {
        for (part, text) in [("vendor", vendor), ("class", class)] {
            if !is_part(text) {
                return Err(KindError::Part { part, text: text.into() });
            }
        }
        Ok(Self { vendor: vendor.into(), class: class.into() })
    }

    /// The part before the slash.
    #[must_use]
    pub fn vendor(&self) -> &str {
        &self.vendor
    }

    /// The part after the slash.
    #[must_use]
    pub fn class(&self) -> &str {
        &self.class
    }

    /// The full name by which users ask for a device: `vendor/class=name`.
    #[must_use]
    pub fn qualify(&self, name: &DeviceName) -> String {
        format!("{self}={name}")
    }
}

fn is_part(text: &str) -> bool {
    let ends_well = text.bytes().last().is_some_and(|last| last.is_ascii_alphanumeric());
    text.starts_with(|first: char| first.is_ascii_alphabetic())
        && ends_well
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte))
}

impl FromStr for Kind {
    type Err = KindError;

    fn from_str(text: &str) -> Result<Self, KindError> {
        let (vendor, class) = text.split_once('/').ok_or_else(|| KindError::Form(text.into()))?;
        Self::new(vendor, class)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.vendor, self.class)
    }
}

impl From<Kind> for String {
    fn from(kind: Kind) -> Self {
        kind.to_string()
    }
}

impl TryFrom<String> for Kind {
    type Error = KindError;

    fn try_from(text: String) -> Result<Self, KindError> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_runtimes_take_as_a_kind_is_taken() {
        for text in
            ["nvidia.com/gpu", "berth/claim", "k8s.device-plugin.nvidia.com/gpu", "v/c", "a_b-c.d/g.p-u_1"]
        {
            assert_eq!(text.parse::<Kind>().expect(text).to_string(), text);
        }
    }

    #[test]
    fn a_kind_that_breaks_the_grammar_is_refused_with_its_part() {
        assert_eq!("gpu".parse::<Kind>(), Err(KindError::Form("gpu".into())));
        for (text, part) in [
            ("/gpu", "vendor"),
            ("1vendor.com/gpu", "vendor"),
            ("vendor.com-/gpu", "vendor"),
            ("ven dor/gpu", "vendor"),
            ("nvidia.com/", "class"),
            ("nvidia.com/gpu/x", "class"),
            ("nvidia.com/0", "class"),
            ("nvidia.com/gpu=0", "class"),
        ] {
            let error = text.parse::<Kind>().expect_err(text);
            assert!(
                matches!(&error, KindError::Part { part: found, .. } if *found == part),
                "{text}: {error}"
            );
        }
    }
}
