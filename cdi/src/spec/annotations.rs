//! Rules for annotations: those of Kubernetes, which the runtimes apply.

use std::collections::BTreeMap;

use super::validate::{Fault, Place, Rule};

/// Most bytes of all keys and values of one map together.
pub(super) const MAX_BYTES: usize = 256 << 10;

pub(super) fn check(place: &Place<'_>, annotations: &BTreeMap<String, String>, faults: &mut Vec<Fault>) {
    for key in annotations.keys().filter(|key| !is_key(&key.to_ascii_lowercase())) {
        faults.push(place.fault(Rule::AnnotationKey(key.clone())));
    }
    let size = annotations.iter().map(|(key, value)| key.len() + value.len()).sum();
    if size > MAX_BYTES {
        faults.push(place.fault(Rule::AnnotationSize(size)));
    }
}

fn is_key(key: &str) -> bool {
    match key.split_once('/') {
        Some((domain, name)) => is_domain(domain) && is_name(name),
        None => is_name(key),
    }
}

/// At most 63 letters, digits, `-`, `_` and `.`, a letter or digit at both ends.
fn is_name(name: &str) -> bool {
    let bytes = name.as_bytes();
    bytes.len() <= 63
        && [bytes.first(), bytes.last()].iter().all(|end| end.is_some_and(u8::is_ascii_alphanumeric))
        && bytes.iter().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(byte))
}

/// Lower-case labels with dots between (RFC 1123), at most 253 bytes.
fn is_domain(domain: &str) -> bool {
    domain.len() <= 253 && domain.split('.').all(|label| is_name(label) && !label.contains('_'))
}
