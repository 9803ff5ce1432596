//! The choice: NVIDIA's rules, which its own hook follows too.

use super::{Candidate, Version};

/// Which libraries the container's programs find first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The image's.
    Image,
    /// The host driver's, because of this.
    Host(&'static str),
}

/// Decides between an image's libraries and the host's.
///
/// A library with a note is used if it names the host's driver branch and is newer than the driver; where one of the two
/// versions is not known, if its CUDA is newer. A library without a note is used if its branch is newer.
#[must_use]
pub fn decide(candidate: &Candidate, driver: Option<Version>, cuda: Option<Version>) -> Verdict {
    let newer =
        |is_newer: bool, not: &'static str| if is_newer { Verdict::Image } else { Verdict::Host(not) };
    match (&candidate.note, candidate.version, driver) {
        (Some(note), Some(version), Some(driver)) => {
            if !note.drivers.contains(&driver.major()) {
                return Verdict::Host("the image's CUDA libraries do not support the host's driver");
            }
            newer(version > driver, "the image's CUDA libraries are not newer than the host's")
        }
        (Some(note), _, _) => newer(
            note.cuda.zip(cuda).is_some_and(|(image, host)| image > host),
            "the image's CUDA version is not newer than the host's",
        ),
        (None, Some(version), Some(driver)) if cuda.is_none() => newer(
            version.major() > driver.major(),
            "the image's CUDA libraries are of no newer branch than the host's",
        ),
        (None, _, _) => Verdict::Host("the image's CUDA libraries do not say which drivers they support"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hook::compat::Note;

    fn version(text: &str) -> Option<Version> {
        (!text.is_empty()).then(|| text.parse().expect(text))
    }

    #[test]
    fn the_image_goes_first_only_where_it_may() {
        let drivers = Some(&[535, 550][..]);
        // Library's version, its note's drivers and CUDA, host's driver and CUDA, whether the image's is used.
        for (library, note, note_cuda, driver, cuda, image) in [
            ("575.51.03", drivers, "12.9", "550.163.01", "", true),
            ("575.51.03", drivers, "12.9", "550.163.01", "12.4", true),
            ("550.54.15", drivers, "12.4", "550.163.01", "", false),
            ("575.51.03", drivers, "12.9", "545.23.08", "", false),
            ("1.1", drivers, "13.2", "", "13.0", true),
            ("1.1", drivers, "13.2", "", "13.2", false),
            ("1.1", drivers, "", "", "13.0", false),
            ("1.1", drivers, "13.2", "", "", false),
            ("575.51.03", None, "", "550.163.01", "", true),
            ("550.200.01", None, "", "550.163.01", "", false),
            ("575.51.03", None, "", "550.163.01", "12.4", false),
            ("575.51.03", None, "", "", "", false),
            ("", None, "", "550.163.01", "", false),
        ] {
            let note = note.map(|drivers| Note { cuda: version(note_cuda), drivers: drivers.to_vec() });
            let candidate = Candidate { version: version(library), note };
            let verdict = decide(&candidate, version(driver), version(cuda));
            assert_eq!(verdict == Verdict::Image, image, "{candidate:?} on {driver} {cuda}: {verdict:?}");
        }
    }
}
