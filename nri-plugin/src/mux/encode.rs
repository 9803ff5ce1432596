//! From a message to frames.

use super::{ConnectionId, MAX_SENT};

/// `message` as frames of `connection`, none with a payload above [`MAX_SENT`]; nothing for an empty message.
#[must_use]
pub fn frames(connection: ConnectionId, message: &[u8]) -> Vec<u8> {
    message.chunks(MAX_SENT).flat_map(|payload| frame(connection, payload)).collect()
}

fn frame(ConnectionId(id): ConnectionId, payload: &[u8]) -> impl Iterator<Item = u8> {
    let length = u32::try_from(payload.len()).unwrap_or(u32::MAX);
    id.to_be_bytes().into_iter().chain(length.to_be_bytes()).chain(payload.iter().copied())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mux::HEADER;

    #[test]
    fn a_long_message_is_cut_where_the_runtime_can_read_it() {
        let sent = frames(ConnectionId::PLUGIN, &[7; MAX_SENT + 1]);
        assert_eq!(sent.len(), 2 * HEADER + MAX_SENT + 1);
        assert_eq!(sent[..HEADER], [0, 0, 0, 1, 0, 0, 0x10, 0]);
        assert_eq!(sent[HEADER + MAX_SENT..][..HEADER], [0, 0, 0, 1, 0, 0, 0, 1]);
    }

    #[test]
    fn an_empty_message_sends_nothing() {
        assert!(frames(ConnectionId::RUNTIME, &[]).is_empty());
    }
}
