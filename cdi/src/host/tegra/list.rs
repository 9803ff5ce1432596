//! One list of a Tegra board: a line an entry, `type, path`. Pure.

use std::{fmt, path::PathBuf};

/// What a line lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Device,
    Folder,
    Library,
    Link,
}

/// One line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) kind: Kind,
    /// Absolute; may hold `*` and `?`.
    pub(super) path: PathBuf,
}

/// A line that is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct BadLine {
    /// From 1.
    pub(super) number: usize,
    text: String,
}

/// The rows of a list and the lines that are none; empty lines and those that begin with `#` are neither.
pub(super) fn parse(bytes: &[u8]) -> (Vec<Row>, Vec<BadLine>) {
    let text = String::from_utf8_lossy(bytes);
    let (mut rows, mut bad) = (Vec::new(), Vec::new());
    for (line, number) in text.lines().map(str::trim).zip(1..) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        match row(line) {
            Some(row) => rows.push(row),
            None => bad.push(BadLine { number, text: line.chars().take(SHOWN).collect() }),
        }
    }
    (rows, bad)
}

/// Of a bad line, characters that a message shows.
const SHOWN: usize = 60;

fn row(line: &str) -> Option<Row> {
    let (kind, path) = line.split_once(',')?;
    let kind = match kind.trim() {
        "dev" => Kind::Device,
        "dir" => Kind::Folder,
        "lib" => Kind::Library,
        "sym" => Kind::Link,
        _ => return None,
    };
    let path = PathBuf::from(path.trim());
    path.is_absolute().then_some(Row { kind, path })
}

impl fmt::Display for BadLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "line {:?} is not `dev`, `dir`, `lib` or `sym`, a comma and an absolute path; correct it",
            self.text
        )
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn bad_lines_are_told_by_number_and_stop_nothing() {
        let text = b"# devices\n\ndev, /dev/nvmap\nlib,/usr/lib/libnv*.so\nsym , /usr/lib/libcuda.so\ndir, relative\nlib /a\n\xff\n";
        let (rows, bad) = parse(text);
        let rows: Vec<_> = rows.iter().map(|row| (row.kind, row.path.to_str().expect("ASCII"))).collect();
        let wanted = [
            (Kind::Device, "/dev/nvmap"),
            (Kind::Library, "/usr/lib/libnv*.so"),
            (Kind::Link, "/usr/lib/libcuda.so"),
        ];
        assert_eq!(rows, wanted);
        assert_eq!(bad.iter().map(|bad| bad.number).collect::<Vec<_>>(), [6, 7, 8]);
        assert_eq!(
            bad[1].to_string(),
            "line \"lib /a\" is not `dev`, `dir`, `lib` or `sym`, a comma and an absolute path; correct it"
        );
    }

    proptest! {
        #[test]
        fn any_bytes_are_answered(bytes: Vec<u8>) {
            parse(&bytes);
        }
    }
}
