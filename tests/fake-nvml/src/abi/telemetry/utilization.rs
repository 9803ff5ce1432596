//! Share of time at work; a GPU in MIG mode doesn't tell.

use nvml_wrapper_sys::bindings::nvmlUtilization_t;

use crate::{
    abi::{
        Uint,
        code::{Answer, Code},
        handle::Device,
        node::{Node, Whole},
        pointer::Out,
    },
    export,
};

/// Over which time the shares are taken, in microseconds.
const PERIOD: Uint = 167_000;

export! {
    /// Of kernels and of memory, in percent.
    fn nvmlDeviceGetUtilizationRates(device: Device, utilization: Out<nvmlUtilization_t>) = node => {
        let share = undivided(node, device)?.gpu.telemetry.utilization;
        utilization.put(nvmlUtilization_t { gpu: share.gpu, memory: share.memory })
    };

    /// Of the encoder.
    fn nvmlDeviceGetEncoderUtilization(device: Device, share: Out<Uint>, period: Out<Uint>) = node => {
        tell(undivided(node, device)?.gpu.telemetry.utilization.encoder, share, period)
    };

    /// Of the decoder.
    fn nvmlDeviceGetDecoderUtilization(device: Device, share: Out<Uint>, period: Out<Uint>) = node => {
        tell(undivided(node, device)?.gpu.telemetry.utilization.decoder, share, period)
    };

    /// Of the JPEG decoder and of the optical flow accelerator: idle.
    fn nvmlDeviceGetJpgUtilization | nvmlDeviceGetOfaUtilization(device: Device, share: Out<Uint>, period: Out<Uint>) = node => {
        undivided(node, device)?;
        tell(0, share, period)
    };
}

fn undivided(node: &Node, device: Device) -> Answer<Whole<'_>> {
    let whole = node.whole(device)?;
    if whole.gpu.mig.enabled { Err(Code::NOT_SUPPORTED) } else { Ok(whole) }
}

fn tell(value: Uint, share: Out<Uint>, period: Out<Uint>) -> Answer {
    share.put(value)?;
    period.put(PERIOD)
}
