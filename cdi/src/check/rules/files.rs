//! Files and folders: names that no runtime reads, and permissions.

use super::Expect;
use crate::{
    check::{
        document::Document,
        finding::{Finding, Severity},
        observed::{Folder, SpecFile},
    },
    spec::Format,
};

const OTHERS_WRITE: u32 = 0o002;
const OTHERS_READ: u32 = 0o004;

/// Kinds whose files are for root's runtimes alone: one file a claim.
const PRIVATE_VENDOR: &str = "berth";

pub(super) fn check(folders: &[Folder], documents: &[Document], expect: &Expect) -> Vec<Finding> {
    let mut findings = Vec::new();
    for folder in folders {
        findings.extend(open_folder(folder, expect));
        match &folder.files {
            Err(reason) => findings.push(Finding::new(
                Severity::Error,
                "folder",
                &folder.path,
                format!("cannot be read: {reason}; check what it is and its permissions"),
            )),
            Ok(files) => findings.extend(files.iter().filter_map(|file| check_file(file, documents, expect))),
        }
    }
    findings
}

fn open_folder(folder: &Folder, expect: &Expect) -> Option<Finding> {
    let text = writers(folder.mode?, folder.uid?, expect)?;
    let text = format!(
        "{text} may put a spec here and get any device or run code as root; give it to root, mode 0755"
    );
    Some(Finding::new(Severity::Error, "writable", &folder.path, text))
}

fn check_file(file: &SpecFile, documents: &[Document], expect: &Expect) -> Option<Finding> {
    if Format::of(&file.path).is_none() {
        return Some(Finding::new(Severity::Warning, "name", &file.path, unread(file)));
    }
    if let Some(who) = writers(file.mode, file.uid, expect) {
        let text =
            format!("{who} may change it and get any device or run code as root; give it to root, mode 0644");
        return Some(Finding::new(Severity::Error, "writable", &file.path, text));
    }
    let private = documents
        .iter()
        .filter(|document| document.path == file.path)
        .any(|document| document.spec.as_ref().is_ok_and(|spec| spec.kind.vendor() == PRIVATE_VENDOR));
    let closed = file.mode & OTHERS_READ == 0 && !private;
    let text = "users without privileges cannot read it, so their podman finds no device; set mode 0644";
    closed.then(|| Finding::new(Severity::Warning, "mode", &file.path, text))
}

fn writers(mode: u32, uid: u32, expect: &Expect) -> Option<String> {
    // A sticky folder lets everybody make files all the same.
    if mode & OTHERS_WRITE != 0 {
        return Some("every user".into());
    }
    (uid != expect.owner).then(|| format!("user {uid}"))
}

fn unread(file: &SpecFile) -> &'static str {
    let name = file.path.file_name().unwrap_or_default().to_string_lossy();
    if name.ends_with(".berth-new") || (name.starts_with("spec.") && name.ends_with(".tmp")) {
        "what a writer left that was killed or met a full disk; remove it"
    } else if name.ends_with(".yml") {
        "no runtime reads a name that ends in .yml; rename it to .yaml, or remove it"
    } else {
        "no runtime reads a name that ends neither in .json nor in .yaml; rename or remove it"
    }
}
