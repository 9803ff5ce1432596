//! NVIDIA's Python binding.

use crate::common::Node;

/// Every function of the binding that takes a device alone, and every one that takes nothing: what it answers.
const ALL: &str = r#"
import inspect, pynvml
pynvml.nvmlInit()
device = pynvml.nvmlDeviceGetHandleByIndex(0)
skipped = ('nvmlInit', 'nvmlShutdown', 'nvmlInitWithFlags')
for name, function in sorted(vars(pynvml).items()):
    if not name.startswith('nvml') or not inspect.isfunction(function) or name in skipped:
        continue
    needed = [p.name for p in inspect.signature(function).parameters.values() if p.default is p.empty]
    if needed not in ([], ['handle'], ['device']) or 'Get' not in name:
        continue
    try:
        answer = function(*([device] if needed else []))
        print(name, 'ok')
    except pynvml.NVMLError as error:
        print(name, type(error).__name__)
pynvml.nvmlShutdown()
"#;

#[test]
fn every_question_gets_an_answer_or_a_refusal() {
    for (product, answered) in [("h200-141gb", 75), ("v100-sxm2-32gb", 40), ("rtx-4090", 60), ("gb200", 75)] {
        let told = Node::new(product, 1).python_prints(ALL);
        let refused: Vec<&str> = told
            .lines()
            .filter(|line| !line.ends_with(" ok") && !line.ends_with(" NVMLError_NotSupported"))
            .filter(|line| !line.ends_with("InstanceId NVMLError_InvalidArgument"))
            .collect();
        assert_eq!(refused, Vec::<&str>::new(), "{product}");
        let count = told.lines().filter(|line| line.ends_with(" ok")).count();
        assert!(count >= answered, "{product} answers {count} questions:\n{told}");
    }
}

/// What a library of metrics asks.
const METRICS: &str = r"
import pynvml as n
n.nvmlInit()
print(n.nvmlSystemGetCudaDriverVersion(), n.nvmlDeviceGetCount())
d = n.nvmlDeviceGetHandleByIndex(0)
print(n.nvmlDeviceGetName(d), n.nvmlDeviceGetCudaComputeCapability(d), n.nvmlDeviceGetArchitecture(d))
m = n.nvmlDeviceGetMemoryInfo(d, n.nvmlMemory_v2)
print(m.total >> 20, m.reserved >> 20, n.nvmlDeviceGetBAR1MemoryInfo(d).bar1Total >> 20)
print(n.nvmlDeviceGetPowerManagementLimitConstraints(d), n.nvmlDeviceGetMaxClockInfo(d, n.NVML_CLOCK_SM))
fields = n.nvmlDeviceGetFieldValues(d, [n.NVML_FI_DEV_NVLINK_LINK_COUNT, n.NVML_FI_DEV_POWER_INSTANT, n.NVML_FI_DEV_RETIRED_SBE])
print([(f.nvmlReturn, f.value.uiVal) for f in fields[:2]], fields[2].nvmlReturn)
info = n.c_nvmlGpuFabricInfo_v3_t()
n.nvmlDeviceGetGpuFabricInfoV(d, n.byref(info))
print(info.state, info.status, info.cliqueId, bytes(info.clusterUuid).hex(), info.healthSummary)
print(n.nvmlDeviceGetComputeRunningProcesses(d), n.nvmlDeviceGetNvLinkState(d, 17), n.nvmlDeviceGetSerial(d))
";

#[test]
fn metrics_are_those_of_the_board() {
    let told = Node::new("gb200", 2).python_prints(METRICS);
    insta::assert_snapshot!(told);
}

/// Waits for an event in a process of its own.
pub(crate) const WAITER: &str = r"
import pynvml as n
n.nvmlInit()
events = n.nvmlEventSetCreate()
d = n.nvmlDeviceGetHandleByIndex(1)
n.nvmlDeviceRegisterEvents(d, n.nvmlEventTypeXidCriticalError | n.nvmlEventMigConfigChange, events)
print('listening', flush=True)
e = n.nvmlEventSetWait_v2(events, 60000)
print(e.eventType, e.eventData, e.gpuInstanceId == 0xffffffff, n.nvmlDeviceGetIndex(e.device))
n.nvmlEventSetFree(events)
n.nvmlShutdown()
";
