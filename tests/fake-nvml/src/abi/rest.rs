//! Functions that programs look up and this library doesn't model: each answers `NOT_SUPPORTED`.
//!
//! The names are those that a driver of branch 550, NVIDIA's Python binding and the bindings of Rust know. A program
//! takes "not supported" for a board that lacks something, but a missing name for a broken installation. Arguments are
//! left where they lie: the calling convention lets the callee ignore them. A function that is modelled elsewhere
//! leaves this list; a name in both places does not compile.

use nvml_wrapper_sys::bindings::nvmlReturn_t;

use super::{call::call, code::Code};

macro_rules! not_modelled {
    ($($name:ident)*) => {
        $(
            #[doc = "Not modelled: `NOT_SUPPORTED`, after the faults of the state."]
            #[unsafe(no_mangle)]
            pub extern "C" fn $name() -> nvmlReturn_t {
                call(stringify!($name), |_node| Err(Code::NOT_SUPPORTED))
            }
        )*

        /// The names.
        pub const NAMES: &[&str] = &[$(stringify!($name)),*];
    };
}

not_modelled! {
    nvmlDeviceClearAccountingPids nvmlDeviceClearCpuAffinity nvmlDeviceClearFieldValues
    nvmlDeviceDiscoverGpus nvmlDeviceFreezeNvLinkUtilizationCounter nvmlDeviceGetAPIRestriction
    nvmlDeviceGetAccountingStats nvmlDeviceGetAccountingStats_v2 nvmlDeviceGetActiveVgpus
    nvmlDeviceGetAdaptiveClockInfoStatus nvmlDeviceGetAdaptiveTgpModeInfo_v1
    nvmlDeviceGetAutoBoostedClocksEnabled nvmlDeviceGetBBXTimeData_v1 nvmlDeviceGetBankRemapperStatus_v1
    nvmlDeviceGetBridgeChipInfo nvmlDeviceGetCapabilities nvmlDeviceGetClkMonStatus
    nvmlDeviceGetClockOffsets nvmlDeviceGetConfComputeGpuAttestationReport
    nvmlDeviceGetConfComputeGpuCertificate nvmlDeviceGetCoolerInfo nvmlDeviceGetCreatableVgpus
    nvmlDeviceGetCurrentClockFreqs nvmlDeviceGetDramEncryptionMode nvmlDeviceGetDriverModel
    nvmlDeviceGetDriverModel_v2 nvmlDeviceGetDynamicPstatesInfo nvmlDeviceGetEncoderCapacity
    nvmlDeviceGetFanControlPolicy_v2 nvmlDeviceGetFanSpeedRPM nvmlDeviceGetGpcClkMinMaxVfOffset
    nvmlDeviceGetGpcClkVfOffset nvmlDeviceGetGpuFabricInfo_v4 nvmlDeviceGetGpuOperationMode
    nvmlDeviceGetGridLicensableFeatures nvmlDeviceGetGridLicensableFeatures_v2
    nvmlDeviceGetGridLicensableFeatures_v3 nvmlDeviceGetGridLicensableFeatures_v4
    nvmlDeviceGetHostVgpuMode nvmlDeviceGetHostname_v1 nvmlDeviceGetInforomConfigurationChecksum
    nvmlDeviceGetInforomImageVersion nvmlDeviceGetIrqNum nvmlDeviceGetLastBBXFlushTime
    nvmlDeviceGetMemClkMinMaxVfOffset nvmlDeviceGetMemClkVfOffset nvmlDeviceGetMemoryBusWidth
    nvmlDeviceGetMemoryLimits_v1 nvmlDeviceGetMinMaxClockOfPState nvmlDeviceGetMinMaxFanSpeed
    nvmlDeviceGetNvLinkInfo nvmlDeviceGetNvLinkRemotePciInfo nvmlDeviceGetNvLinkRemotePciInfo_v2
    nvmlDeviceGetNvLinkTelemetrySamples_v1 nvmlDeviceGetNvLinkUtilizationControl
    nvmlDeviceGetNvLinkUtilizationCounter nvmlDeviceGetNvlinkBwMode nvmlDeviceGetNvlinkSupportedBwModes
    nvmlDeviceGetPcieLinkMaxSpeed nvmlDeviceGetPcieSpeed nvmlDeviceGetPdi nvmlDeviceGetPerformanceModes
    nvmlDeviceGetPgpuMetadataString nvmlDeviceGetPlatformInfo nvmlDeviceGetPowerMizerMode_v1
    nvmlDeviceGetProcessUtilization nvmlDeviceGetProcessesUtilizationInfo nvmlDeviceGetRemappedRows_v2
    nvmlDeviceGetRepairStatus nvmlDeviceGetRunningProcessDetailList nvmlDeviceGetSamples
    nvmlDeviceGetSramUniqueUncorrectedEccErrorCounts nvmlDeviceGetSupportedPerformanceStates
    nvmlDeviceGetSupportedVgpus nvmlDeviceGetThermalSettings nvmlDeviceGetUnrepairableMemoryFlag_v1
    nvmlDeviceGetVgpuCapabilities nvmlDeviceGetVgpuHeterogeneousMode
    nvmlDeviceGetVgpuInstancesUtilizationInfo nvmlDeviceGetVgpuMetadata
    nvmlDeviceGetVgpuProcessUtilization nvmlDeviceGetVgpuProcessesUtilizationInfo
    nvmlDeviceGetVgpuSchedulerCapabilities nvmlDeviceGetVgpuSchedulerLog nvmlDeviceGetVgpuSchedulerLog_v2
    nvmlDeviceGetVgpuSchedulerState nvmlDeviceGetVgpuSchedulerState_v2
    nvmlDeviceGetVgpuTypeCreatablePlacements nvmlDeviceGetVgpuTypeSupportedPlacements
    nvmlDeviceGetVgpuUtilization nvmlDeviceGetViolationStatus nvmlDeviceModifyDrainState
    nvmlDevicePerfMetricsGetSamples_v1 nvmlDevicePowerSmoothingActivatePresetProfile
    nvmlDevicePowerSmoothingSetState nvmlDevicePowerSmoothingUpdatePresetProfileParam
    nvmlDeviceQueryDrainState nvmlDeviceReadPRMCounters_v1 nvmlDeviceReadWritePRM_v1 nvmlDeviceRemoveGpu
    nvmlDeviceRemoveGpu_v2 nvmlDeviceResetGpuLockedClocks nvmlDeviceResetMemoryLockedClocks
    nvmlDeviceResetNvLinkErrorCounters nvmlDeviceResetNvLinkUtilizationCounter nvmlDeviceSetAPIRestriction
    nvmlDeviceSetAccountingMode nvmlDeviceSetAdaptiveTgpMode_v1 nvmlDeviceSetAutoBoostedClocksEnabled
    nvmlDeviceSetClockOffsets nvmlDeviceSetConfComputeUnprotectedMemSize nvmlDeviceSetCpuAffinity
    nvmlDeviceSetDefaultAutoBoostedClocksEnabled nvmlDeviceSetDefaultFanSpeed_v2
    nvmlDeviceSetDramEncryptionMode nvmlDeviceSetDriverModel nvmlDeviceSetFanControlPolicy
    nvmlDeviceSetFanSpeed_v2 nvmlDeviceSetGpcClkVfOffset nvmlDeviceSetGpuLockedClocks
    nvmlDeviceSetGpuOperationMode nvmlDeviceSetHostname_v1 nvmlDeviceSetMemClkVfOffset
    nvmlDeviceSetMemoryLimits_v1 nvmlDeviceSetMemoryLockedClocks
    nvmlDeviceSetNvLinkDeviceLowPowerThreshold nvmlDeviceSetNvLinkUtilizationControl
    nvmlDeviceSetNvlinkBwMode nvmlDeviceSetNvlinkBwModeAsync_v1 nvmlDeviceSetPowerMizerMode_v1
    nvmlDeviceSetRusdSettings_v1 nvmlDeviceSetTemperatureThreshold nvmlDeviceSetVgpuCapabilities
    nvmlDeviceSetVgpuHeterogeneousMode nvmlDeviceSetVgpuSchedulerState nvmlDeviceSetVgpuSchedulerState_v2
    nvmlDeviceValidateInforom nvmlDeviceVgpuForceGspUnload
    nvmlDeviceWorkloadPowerProfileClearRequestedProfiles nvmlDeviceWorkloadPowerProfileGetCurrentProfiles
    nvmlDeviceWorkloadPowerProfileGetProfilesInfo nvmlDeviceWorkloadPowerProfileSetRequestedProfiles
    nvmlDeviceWorkloadPowerProfileUpdateProfiles_v1 nvmlEventSetGetContextCount_v1
    nvmlEventSetGetContextData_v1 nvmlEventSetGetContextInfo_v1
    nvmlEventSetGetGpuOperationalEventContextLegacyXid_v1 nvmlEventSetRegisterGpuOperationalEvents_v1
    nvmlEventSetWait_v3 nvmlGetBlacklistDeviceInfoByIndex nvmlGetExcludedDeviceInfoByIndex
    nvmlGetVgpuCompatibility nvmlGetVgpuDriverCapabilities nvmlGetVgpuVersion nvmlGpmMetricsGet
    nvmlGpmMigSampleGet nvmlGpmQueryDeviceSupport nvmlGpmQueryIfStreamingEnabled nvmlGpmSampleAlloc
    nvmlGpmSampleFree nvmlGpmSampleGet nvmlGpmSetStreamingEnabled nvmlGpuInstanceGetActiveVgpus
    nvmlGpuInstanceGetCreatableVgpus nvmlGpuInstanceGetVgpuHeterogeneousMode
    nvmlGpuInstanceGetVgpuSchedulerLog nvmlGpuInstanceGetVgpuSchedulerLog_v2
    nvmlGpuInstanceGetVgpuSchedulerState nvmlGpuInstanceGetVgpuSchedulerState_v2
    nvmlGpuInstanceGetVgpuTypeCreatablePlacements nvmlGpuInstanceSetVgpuHeterogeneousMode
    nvmlGpuInstanceSetVgpuSchedulerState nvmlGpuInstanceSetVgpuSchedulerState_v2 nvmlSetVgpuVersion
    nvmlSystemEventSetCreate nvmlSystemEventSetFree nvmlSystemEventSetWait nvmlSystemGetCPER_v1
    nvmlSystemGetConfComputeKeyRotationThresholdInfo nvmlSystemGetHicVersion nvmlSystemGetNvlinkBwMode
    nvmlSystemGetTopologyGpuSet nvmlSystemRegisterEvents nvmlSystemSetConfComputeGpusReadyState
    nvmlSystemSetConfComputeKeyRotationThresholdInfo nvmlSystemSetNvlinkBwMode nvmlUnitGetDevices
    nvmlUnitGetFanSpeedInfo nvmlUnitGetHandleByIndex nvmlUnitGetLedState nvmlUnitGetPsuInfo
    nvmlUnitGetTemperature nvmlUnitGetUnitInfo nvmlUnitSetLedState nvmlVgpuInstanceClearAccountingPids
    nvmlVgpuInstanceGetAccountingMode nvmlVgpuInstanceGetAccountingPids nvmlVgpuInstanceGetAccountingStats
    nvmlVgpuInstanceGetEccMode nvmlVgpuInstanceGetEncoderCapacity nvmlVgpuInstanceGetEncoderSessions
    nvmlVgpuInstanceGetEncoderStats nvmlVgpuInstanceGetFBCSessions nvmlVgpuInstanceGetFBCStats
    nvmlVgpuInstanceGetFbUsage nvmlVgpuInstanceGetFrameRateLimit nvmlVgpuInstanceGetGpuInstanceId
    nvmlVgpuInstanceGetGpuPciId nvmlVgpuInstanceGetLicenseInfo nvmlVgpuInstanceGetLicenseInfo_v2
    nvmlVgpuInstanceGetLicenseStatus nvmlVgpuInstanceGetMdevUUID nvmlVgpuInstanceGetMetadata
    nvmlVgpuInstanceGetPlacementId nvmlVgpuInstanceGetRuntimeStateSize nvmlVgpuInstanceGetType
    nvmlVgpuInstanceGetUUID nvmlVgpuInstanceGetVmDriverVersion nvmlVgpuInstanceGetVmID
    nvmlVgpuInstanceSetEncoderCapacity nvmlVgpuTypeGetBAR1Info nvmlVgpuTypeGetCapabilities
    nvmlVgpuTypeGetClass nvmlVgpuTypeGetDeviceID nvmlVgpuTypeGetFbReservation
    nvmlVgpuTypeGetFrameRateLimit nvmlVgpuTypeGetFramebufferSize nvmlVgpuTypeGetGpuInstanceProfileId
    nvmlVgpuTypeGetGspHeapSize nvmlVgpuTypeGetLicense nvmlVgpuTypeGetMaxInstances
    nvmlVgpuTypeGetMaxInstancesPerGpuInstance nvmlVgpuTypeGetMaxInstancesPerVm nvmlVgpuTypeGetName
    nvmlVgpuTypeGetNumDisplayHeads nvmlVgpuTypeGetResolution
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_in_order_so_that_one_is_found() {
        assert!(NAMES.is_sorted());
    }
}
