//! The board: its numbers and what is printed on it.

use crate::{
    abi::{
        Uint,
        code::Code,
        handle::Device,
        pointer::{Out, OutText},
    },
    export,
};

/// Versions of the inforom's parts: OEM object, ECC object.
const INFOROM: [&str; 2] = ["2.1", "7.16"];

export! {
    /// Version of the video BIOS.
    fn nvmlDeviceGetVbiosVersion(device: Device, text: OutText, length: Uint) = node => {
        text.put(length, node.target(device)?.whole().baseline()?.vbios.as_deref().ok_or(Code::NOT_SUPPORTED)?)
    };

    /// Part number of the board.
    fn nvmlDeviceGetBoardPartNumber(device: Device, text: OutText, length: Uint) = node => {
        text.put(length, node.target(device)?.whole().baseline()?.board_part_number.as_deref().ok_or(Code::NOT_SUPPORTED)?)
    };

    /// Version of a part of the inforom: OEM, ECC; boards of today have no power object.
    fn nvmlDeviceGetInforomVersion(device: Device, part: Uint, text: OutText, length: Uint) = node => {
        let whole = node.target(device)?.whole();
        let [oem, ecc] = INFOROM;
        match part {
            0 => text.put(length, oem),
            1 if whole.gpu.ecc.is_some() => text.put(length, ecc),
            1..=3 => Err(Code::NOT_SUPPORTED),
            _ => Err(Code::INVALID_ARGUMENT),
        }
    };

    /// Place of the module on the baseboard, from 1.
    fn nvmlDeviceGetModuleId(device: Device, module: Out<Uint>) = node => {
        let whole = node.target(device)?.whole();
        module.put(if whole.product.nvlink_links > 0 { whole.gpu.minor + 1 } else { 1 })
    };

    /// Whether several GPUs share the board: no.
    fn nvmlDeviceGetMultiGpuBoard(device: Device, several: Out<Uint>) = node => {
        node.whole(device)?;
        several.put(0)
    };

    /// Whether two GPUs share a board: no.
    fn nvmlDeviceOnSameBoard(one: Device, other: Device, same: Out<Uint>) = node => {
        let (one, other) = (node.whole(one)?, node.whole(other)?);
        same.put((one.gpu.minor == other.gpu.minor).into())
    };

    /// Cores of all multiprocessors.
    fn nvmlDeviceGetNumGpuCores(device: Device, cores: Out<Uint>) = node => {
        let product = node.whole(device)?.product;
        // By compute capability: 64 a multiprocessor up to 8.0, 128 from then on.
        let each = if product.compute_capability <= (8, 0) { 64 } else { 128 };
        cores.put(product.multiprocessors * each)
    };

    /// Units of an S-class server of old: none.
    fn nvmlUnitGetCount(count: Out<Uint>) = _node => {
        count.put(0)
    };

    /// GPUs that the driver was told to leave alone: none.
    fn nvmlGetExcludedDeviceCount | nvmlGetBlacklistDeviceCount(count: Out<Uint>) = _node => {
        count.put(0)
    };
}
