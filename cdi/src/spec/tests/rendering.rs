//! Writing: what is written is read back, by readers of both encodings.

use proptest::prelude::*;

use crate::spec::{
    samples::{full, spec},
    *,
};

#[test]
fn the_yaml_form_of_every_field_is_as_reviewed() {
    insta::assert_snapshot!(full().render(Format::Yaml));
}

#[test]
fn json_is_one_line() {
    let text = full().render(Format::Json);
    assert_eq!(text.lines().count(), 1);
    assert!(text.starts_with(r#"{"cdiVersion":"1.1.0","kind":"nvidia.com/gpu","#), "{text}");
}

proptest! {
    #[test]
    fn every_encoding_is_read_back(spec in spec()) {
        for (text, format) in [
            (spec.render(Format::Json), Format::Json),
            (spec.render_pretty(), Format::Json),
            (spec.render(Format::Yaml), Format::Yaml),
            // The runtimes read JSON files by their YAML reader.
            (spec.render(Format::Json), Format::Yaml),
        ] {
            let read = Spec::parse(text.as_bytes(), format).map_err(|error| TestCaseError::fail(format!("{error:?}\n{text}")))?;
            prop_assert_eq!(&read, &spec, "{}", text);
        }
    }
}
