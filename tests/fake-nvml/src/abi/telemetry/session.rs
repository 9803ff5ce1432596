//! Sessions of the video encoder and of the frame buffer capture: none.

use nvml_wrapper_sys::bindings::{nvmlEncoderSessionInfo_t, nvmlFBCSessionInfo_t, nvmlFBCStats_t};

use crate::{
    abi::{Uint, handle::Device, pointer::Out},
    export,
};

export! {
    /// How many encode, at which rate, how late.
    fn nvmlDeviceGetEncoderStats(device: Device, sessions: Out<Uint>, rate: Out<Uint>, latency: Out<Uint>) = node => {
        node.whole(device)?;
        sessions.put(0)?;
        rate.put(0)?;
        latency.put(0)
    };

    /// Who encodes.
    fn nvmlDeviceGetEncoderSessions(device: Device, count: Out<Uint>, sessions: Out<nvmlEncoderSessionInfo_t>) = node => {
        node.whole(device)?;
        sessions.list(count, &[])
    };

    /// How many capture, at which rate, how late.
    fn nvmlDeviceGetFBCStats(device: Device, stats: Out<nvmlFBCStats_t>) = node => {
        node.whole(device)?;
        stats.put(nvmlFBCStats_t { sessionsCount: 0, averageFPS: 0, averageLatency: 0 })
    };

    /// Who captures.
    fn nvmlDeviceGetFBCSessions(device: Device, count: Out<Uint>, sessions: Out<nvmlFBCSessionInfo_t>) = node => {
        node.whole(device)?;
        sessions.list(count, &[])
    };
}
