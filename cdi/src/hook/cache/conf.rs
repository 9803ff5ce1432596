//! Lines of `ld.so.conf`, as `parse_conf` of glibc's elf/ldconfig.c reads them.

use std::{
    ffi::OsStr,
    os::unix::ffi::OsStrExt as _,
    path::{Path, PathBuf},
};

/// Ours, the first two of all in order: the image's CUDA libraries, then the driver's.
pub const COMPAT_CONF: &str = "/etc/ld.so.conf.d/00-berth-1-compat.conf";
pub(super) const DRIVER_CONF: &str = "/etc/ld.so.conf.d/00-berth-2-driver.conf";

/// What a line asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Line {
    /// A folder of libraries.
    Folder(PathBuf),
    /// Another file, or several.
    Include(PathBuf),
}

/// The lines of `file`, which lies in `folder`. Comments, `hwcap` lines and relative folders ask for nothing.
pub(super) fn lines(file: &[u8], folder: &Path) -> Vec<Line> {
    let mut lines = Vec::new();
    for line in file.split(|byte| *byte == b'\n') {
        let line = line.split(|byte| *byte == b'#').next().unwrap_or_default().trim_ascii();
        let (word, rest) = word(line);
        match word {
            b"" | b"hwcap" => {}
            b"include" if !rest.is_empty() => {
                let patterns = rest.split(u8::is_ascii_whitespace).filter(|pattern| !pattern.is_empty());
                lines.extend(patterns.map(|pattern| Line::Include(folder.join(OsStr::from_bytes(pattern)))));
            }
            _ => lines.extend(library_folder(line).map(Line::Folder)),
        }
    }
    lines
}

fn word(line: &[u8]) -> (&[u8], &[u8]) {
    let end = line.iter().position(u8::is_ascii_whitespace).unwrap_or(line.len());
    let (word, rest) = line.split_at_checked(end).unwrap_or((line, b""));
    (word, rest.trim_ascii())
}

/// Without the kind of library that old files name behind `=`, and without slashes at the end.
fn library_folder(line: &[u8]) -> Option<PathBuf> {
    let path = line.split(|byte| *byte == b'=').next()?.trim_ascii_end();
    let path: &Path = OsStr::from_bytes(path).as_ref();
    (path.is_absolute() && !path.as_os_str().as_bytes().contains(&0)).then(|| path.components().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_as_ldconfig_reads_them() {
        let file =
            b"# libc default\n/usr/local/lib # here\n  /opt/x/  \ninclude ld.so.conf.d/*.conf\t/abs/*.conf\n\
            /usr/lib=libc5\nhwcap 0 nosegneg\ninclude\nrelative\n\n/with space/lib\nincluded\n/\xff/lib";
        let folder = |path: &[u8]| Line::Folder(OsStr::from_bytes(path).into());
        assert_eq!(
            lines(file, Path::new("/etc")),
            [
                folder(b"/usr/local/lib"),
                folder(b"/opt/x"),
                Line::Include("/etc/ld.so.conf.d/*.conf".into()),
                Line::Include("/abs/*.conf".into()),
                folder(b"/usr/lib"),
                folder(b"/with space/lib"),
                folder(b"/\xff/lib"),
            ]
        );
    }
}
