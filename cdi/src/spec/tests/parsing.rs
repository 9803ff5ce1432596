//! Reading: strict, with a place; never a panic.

use proptest::prelude::*;

use crate::spec::{
    samples::{FULL, full},
    *,
};

/// An error as an operator sees it: the sentence and its source.
fn shown(error: &SpecError) -> String {
    let source = std::error::Error::source(error).map(ToString::to_string);
    format!("{error}: {}", source.unwrap_or_default())
}

const DEVICE: &str = r#""devices":[{"name":"0","containerEdits":{"env":["A=b"]}}]"#;

#[test]
fn a_document_that_uses_every_field_is_read_whole() {
    insta::assert_snapshot!(full().render_pretty());
}

#[test]
fn an_unknown_field_is_refused_with_its_name_and_place() {
    let yaml = FULL.replace("closID: gold", "closId: gold");
    let error = shown(&Spec::parse(yaml.as_bytes(), Format::Yaml).expect_err("a wrong key"));
    assert!(error.contains("closId") && error.contains("line 24"), "{error}");

    let json = format!("{{\n\"cdiVersion\":\"0.5.0\",\n\"kin\":\"a/b\",{DEVICE}}}");
    let error = shown(&Spec::parse(json.as_bytes(), Format::Json).expect_err("a wrong key"));
    assert!(error.contains("`kin`") && error.contains("line 3"), "{error}");
}

#[test]
fn what_is_no_document_is_refused_in_both_encodings() {
    let cases = [
        "",
        "null",
        "[]",
        "7",
        "{}",
        r#"{"cdiVersion":"0.5.0"}"#,
        r#"{"cdiVersion":"0.9.9","kind":"a/b","devices":[]}"#,
        r#"{"cdiVersion":"0.5.0","kind":"ab","devices":[]}"#,
        r#"{"cdiVersion":"0.5.0","kind":"a/b","devices":[{"name":"","containerEdits":{}}]}"#,
        r#"{"cdiVersion":"0.5.0","kind":"a/b","kind":"a/b","devices":[]}"#,
        r#"{"cdiVersion":"0.5.0","kind":"a/b","devices":[]} {}"#,
        r#"{"cdiVersion":"0.5.0","kind":"a/b","devices":[],"containerEdits":{"deviceNodes":[{"path":"/a","type":"x"}]}}"#,
        r#"{"cdiVersion":"0.5.0","kind":"a/b","devices":[],"containerEdits":{"deviceNodes":[{"path":"/a","major":-1}]}}"#,
        r#"{"cdiVersion":"0.5.0","kind":"a/b","devices":[],"containerEdits":{"hooks":[{"hookName":"x","path":"/a"}]}}"#,
    ];
    for text in cases {
        for format in [Format::Json, Format::Yaml] {
            Spec::parse(text.as_bytes(), format).expect_err(text);
        }
    }
}

#[test]
fn lists_that_go_programs_write_as_null_are_empty() {
    let text = format!(
        r#"{{"cdiVersion":"v0.5.0","kind":"a/b","containerEdits":null,"annotations":null,{DEVICE}}}"#
    );
    for format in [Format::Json, Format::Yaml] {
        let spec = Spec::parse(text.as_bytes(), format).expect("nulls");
        assert_eq!((spec.cdi_version, spec.container_edits.is_empty()), (Version::V0_5_0, true));
    }
}

#[test]
fn a_document_that_would_take_all_memory_or_stack_is_refused() {
    let deep = "[".repeat(100_000);
    let bomb = format!(
        "cdiVersion: &a [{}]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nkind: [*b,*b,*b,*b]\n",
        "x,".repeat(900)
    );
    let large = " ".repeat(MAX_BYTES + 1);
    for (text, formats) in [
        (deep, &[Format::Json, Format::Yaml][..]),
        (bomb, &[Format::Yaml]),
        (large, &[Format::Json, Format::Yaml]),
    ] {
        for format in formats {
            Spec::parse(text.as_bytes(), *format).expect_err("refused");
        }
    }
}

proptest! {
    #[test]
    fn any_bytes_are_answered(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        drop(Spec::parse(&bytes, Format::Json));
        drop(Spec::parse(&bytes, Format::Yaml));
    }

    /// A true document with some bytes changed: closer to what a reader's corners see than noise.
    #[test]
    fn a_damaged_document_is_answered(changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6)) {
        for (text, format) in [(FULL.to_owned(), Format::Yaml), (full().render(Format::Json), Format::Json)] {
            let mut bytes = text.into_bytes();
            for (index, byte) in &changes {
                let at = index.index(bytes.len());
                bytes[at] = *byte;
            }
            if let Ok(spec) = Spec::parse(&bytes, format) {
                drop(faults(&spec));
            }
        }
    }
}
