//! Names that clients look up.

use std::collections::BTreeSet;

use crate::common::{Node, binding, smi};

/// Prints the names of NVML that a file holds and the library lacks. A name of a program stands between zeros, one of
/// Python code in the call that looks it up.
const SCRIPT: &str = r#"
import ctypes, re, sys
library, path = ctypes.CDLL(sys.argv[1]), sys.argv[2]
names = set(re.findall(rb'(?:\x00|FunctionPointer\(")(nvml[A-Z]\w+)(?=[\x00"])', open(path, 'rb').read()))
print(len(names))
print('\n'.join(sorted(name.decode() for name in names if not hasattr(library, name.decode()))))
"#;

#[test]
fn every_name_that_a_client_looks_up_is_there() {
    let node = Node::new("t4", 1);
    for (file, at_least) in [(smi(), 240), (binding().join("pynvml.py"), 400)] {
        let mut python = node.python(SCRIPT);
        let output = python.arg(node.library()).arg(&file).output().expect("python3 runs");
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let (count, missing) = said.split_once('\n').expect("a number, then names");
        assert!(count.parse::<usize>().is_ok_and(|count| count >= at_least), "{count} in {}", file.display());
        let missing: BTreeSet<&str> = missing.split_whitespace().collect();
        assert_eq!(missing, BTreeSet::new(), "{} looks these up", file.display());
    }
}
