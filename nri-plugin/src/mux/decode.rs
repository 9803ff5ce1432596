//! From bytes, however they were cut on their way, to frames.

use super::{ConnectionId, HEADER, MAX_RECEIVED};

/// A part of the byte stream of one logical connection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// Whose bytes these are; an id that nobody opened is for the caller to drop.
    pub connection: ConnectionId,
    /// The bytes; may be none.
    pub payload: Vec<u8>,
}

/// The stream can't be understood any more: the connection must be closed and opened again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum MuxError {
    /// A length that no runtime sends.
    #[error(
        "frame of connection {connection} has {length} bytes, at most {MAX_RECEIVED} are accepted; reconnect"
    )]
    TooLong {
        /// The frame's connection id.
        connection: u32,
        /// The announced length.
        length: usize,
    },
}

/// Bytes that don't make a whole frame yet.
#[derive(Debug, Default)]
pub struct Decoder {
    pending: Vec<u8>,
}

impl Decoder {
    /// Adds what was read from the socket.
    pub fn push(&mut self, bytes: &[u8]) {
        self.pending.extend_from_slice(bytes);
    }

    /// The next whole frame, or none until more bytes come.
    ///
    /// # Errors
    /// [`MuxError::TooLong`], at once when the header has come; every later call says the same.
    pub fn next_frame(&mut self) -> Result<Option<Frame>, MuxError> {
        let Some((connection, length)) = header(&self.pending) else { return Ok(None) };
        if length > MAX_RECEIVED {
            return Err(MuxError::TooLong { connection, length });
        }
        if self.pending.len() < HEADER + length {
            return Ok(None);
        }
        let payload = self.pending.drain(..HEADER + length).skip(HEADER).collect();
        Ok(Some(Frame { connection: ConnectionId(connection), payload }))
    }
}

fn header(bytes: &[u8]) -> Option<(u32, usize)> {
    let (id, rest) = bytes.split_first_chunk::<4>()?;
    let length = rest.first_chunk::<4>()?;
    Some((u32::from_be_bytes(*id), usize::try_from(u32::from_be_bytes(*length)).ok()?))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::mux::frames;

    #[test]
    fn a_length_beyond_the_limit_is_refused_before_its_bytes_come() {
        let mut decoder = Decoder::default();
        decoder.push(&[0, 0, 0, 1, 0xff, 0xff, 0xff, 0xff]);
        let refused = Err(MuxError::TooLong { connection: 1, length: 0xffff_ffff });
        assert_eq!((decoder.next_frame(), decoder.next_frame()), (refused.clone(), refused));
    }

    #[test]
    fn the_longest_frame_of_a_runtime_is_taken() {
        let mut decoder = Decoder::default();
        decoder.push(&[0, 0, 0, 2, 0, 0x40, 0, 10]);
        decoder.push(&vec![1; MAX_RECEIVED]);
        let frame = decoder.next_frame().expect("no fault").expect("a frame");
        assert_eq!((frame.connection, frame.payload.len()), (ConnectionId::RUNTIME, MAX_RECEIVED));
    }

    proptest! {
        /// Messages of two connections, cut anywhere: each connection gets its own bytes, in order.
        #[test]
        fn streams_survive_any_cut(
            messages in prop::collection::vec((1u32..3, prop::collection::vec(any::<u8>(), 0..9000)), 0..6),
            cut in 1usize..5000,
        ) {
            let sent: Vec<u8> = messages.iter().flat_map(|(id, body)| frames(ConnectionId(*id), body)).collect();
            let (mut decoder, mut got) = (Decoder::default(), [Vec::new(), Vec::new()]);
            for piece in sent.chunks(cut) {
                decoder.push(piece);
                while let Some(frame) = decoder.next_frame().expect("our own frames") {
                    got[usize::try_from(frame.connection.0 - 1).expect("1 or 2")].extend(frame.payload);
                }
            }
            for id in 1u32..3 {
                let wanted = messages.iter().filter(|(to, _)| *to == id).flat_map(|(_, body)| body.clone());
                prop_assert!(got[usize::try_from(id - 1).expect("1 or 2")].iter().copied().eq(wanted));
            }
        }

        #[test]
        fn any_bytes_are_answered(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
            let mut decoder = Decoder::default();
            decoder.push(&bytes);
            while matches!(decoder.next_frame(), Ok(Some(_))) {}
        }
    }
}
