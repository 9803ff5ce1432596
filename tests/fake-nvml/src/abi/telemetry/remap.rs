//! Rows of memory replaced by spare ones: Ampere and later.

use nvml_wrapper_sys::bindings::nvmlRowRemapperHistogramValues_t;

use super::architecture;
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

export! {
    /// How many, whether one waits for a reset, whether there was none left.
    fn nvmlDeviceGetRemappedRows(device: Device, correctable: Out<Uint>, uncorrectable: Out<Uint>, pending: Out<Uint>, failure: Out<Uint>) = node => {
        let rows = remapping(node, device)?.gpu.telemetry.remapped_rows;
        correctable.put(rows.correctable)?;
        uncorrectable.put(rows.uncorrectable)?;
        pending.put(rows.pending.into())?;
        failure.put(rows.failure.into())
    };

    /// Banks by how many spare rows they have left.
    fn nvmlDeviceGetRowRemapperHistogram(device: Device, banks: Out<nvmlRowRemapperHistogramValues_t>) = node => {
        let whole = remapping(node, device)?;
        let all = whole.baseline()?.row_remap_banks.ok_or(Code::NOT_SUPPORTED)?;
        let rows = whole.gpu.telemetry.remapped_rows;
        let worn = (rows.correctable + rows.uncorrectable).min(all);
        let none = Uint::from(rows.failure).min(worn);
        banks.put(nvmlRowRemapperHistogramValues_t { max: all - worn, high: worn - none, partial: 0, low: 0, none })
    };
}

fn remapping(node: &Node, device: Device) -> Answer<Whole<'_>> {
    let whole = node.target(device)?.whole();
    whole.since(architecture::AMPERE)?;
    whole.gpu.ecc.ok_or(Code::NOT_SUPPORTED)?;
    Ok(whole)
}
