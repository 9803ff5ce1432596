//! Following links without leaving a root: the rules of path resolution (`path_resolution(7)`) for a process whose
//! root folder this is, with what each link says as an argument.

use std::{
    collections::VecDeque,
    ffi::OsString,
    io,
    path::{Component, Path, PathBuf},
};

use nix::errno::Errno;

/// Links that one path may lead through, as in Linux.
const MOST_LINKS: u32 = 40;

/// The path without links, `.` and `..`; `read_link` says what stands at a path: `None` if it is no link.
pub(super) fn walk(
    path: &Path,
    mut read_link: impl FnMut(&Path) -> io::Result<Option<PathBuf>>,
) -> io::Result<PathBuf> {
    let mut reached = PathBuf::from("/");
    let mut ahead = VecDeque::new();
    put_first(&mut ahead, path);
    let mut links = 0;
    while let Some(step) = ahead.pop_front() {
        match step {
            Step::Top => reached = PathBuf::from("/"),
            Step::Up => {
                if reached.parent().is_some() {
                    // Only a folder has a parent folder in it: an error for anything else.
                    read_link(&reached.join(".."))?;
                }
                reached.pop();
            }
            Step::Down(name) => {
                reached.push(name);
                if let Some(target) = read_link(&reached)? {
                    links += 1;
                    if links > MOST_LINKS {
                        return Err(Errno::ELOOP.into());
                    }
                    reached.pop();
                    put_first(&mut ahead, &target);
                }
            }
        }
    }
    Ok(reached)
}

enum Step {
    Top,
    Up,
    Down(OsString),
}

fn put_first(ahead: &mut VecDeque<Step>, path: &Path) {
    for component in path.components().rev() {
        match component {
            Component::RootDir | Component::Prefix(_) => ahead.push_front(Step::Top),
            Component::ParentDir => ahead.push_front(Step::Up),
            Component::Normal(name) => ahead.push_front(Step::Down(name.into())),
            Component::CurDir => {}
        }
    }
}
