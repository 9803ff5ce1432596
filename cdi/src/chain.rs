//! An error as operators read it: the sentence and its reasons, on one line.

use std::error::Error;

/// `error` and all its sources, separated by colons; line breaks in them become spaces.
#[must_use]
pub fn chain(error: &dyn Error) -> String {
    let (mut text, mut cause) = (error.to_string(), error.source());
    while let Some(error) = cause {
        text.push_str(": ");
        text.push_str(&error.to_string());
        cause = error.source();
    }
    text.replace('\n', " ")
}

#[cfg(test)]
mod tests {
    use std::{io, path::PathBuf};

    use super::*;
    use crate::store::StoreError;

    #[test]
    fn each_reason_is_told_once_on_one_line() {
        let source = io::Error::other("disk\nfull");
        let error = StoreError::Read { path: PathBuf::from("/x"), source };
        assert_eq!(chain(&error), "cannot read /x; check permissions: disk full");
    }
}
