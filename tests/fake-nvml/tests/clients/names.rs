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

/// Calls every function that NVIDIA's binding knows, first outside of a session, then with null for all arguments, what
/// takes a device with a handle and then null, and with a stray pointer for a handle; prints those that claim success without a place to
/// write to.
const CARELESS: &str = r#"
import ctypes, re, sys
library, path = ctypes.CDLL(sys.argv[1]), sys.argv[2]
names = sorted({n.decode() for n in re.findall(rb'FunctionPointer\("(nvml[A-Z]\w+)"', open(path, 'rb').read())})
names = [n for n in names if not re.match('nvml(Init|Shutdown|ErrorString)', n)]
word = ctypes.c_void_p
call = lambda name, first: getattr(library, name)(word(first), *[word(0)] * 6)
print('outside', sorted({call(name, 0) for name in names}))
library.nvmlInit_v2()
handle = word()
library.nvmlDeviceGetHandleByIndex_v2(0, ctypes.byref(handle))
devices = [n for n in names if n.startswith('nvmlDeviceGet') and not re.match('nvmlDeviceGet(HandleBy|Count)', n)]
for first, asked in ((0, names), (handle.value, devices), (0xdead0000, devices)):
    succeed = [name for name in asked if 'Get' in name and call(name, first) == 0]
    print(hex(first) if first != handle.value else 'handle', succeed)
library.nvmlShutdown()
"#;

#[test]
fn careless_callers_are_answered_and_nothing_crashes() {
    let node = Node::new("h200-141gb", 1);
    let mut python = node.python(CARELESS);
    let output = python.arg(node.library()).arg(binding().join("pynvml.py")).output().expect("python3 runs");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(said, "outside [1]\n0x0 []\nhandle []\n0xdead0000 []\n");
}
