//! Cuts an engine's output into lines, in bounded memory whatever the engine prints.

use std::io;

/// Bytes of a line that are stored; the rest of a longer line is dropped. The longest useful lines, with a principal
/// variation, have a few thousand.
pub(super) const MAX_LINE: usize = 1 << 16;

/// Bytes of one read.
const CHUNK: usize = 1 << 14;

/// Cuts its input into lines.
pub(super) struct LineReader {
    chunk: Box<[u8]>,
    /// The unread part of `chunk`.
    pending: std::ops::Range<usize>,
    /// The beginning of an incomplete line.
    partial: Vec<u8>,
}

impl LineReader {
    pub(super) fn new() -> Self {
        Self {
            chunk: vec![0; CHUNK].into_boxed_slice(),
            pending: 0..0,
            partial: Vec::new(),
        }
    }

    /// Fills the buffer, which must be empty, and returns the number of bytes.
    pub(super) fn fill(&mut self, read: impl FnOnce(&mut [u8]) -> io::Result<usize>) -> io::Result<usize> {
        let count = read(&mut self.chunk)?;
        self.pending = 0..count;
        Ok(count)
    }

    /// Gives complete lines, trimmed, to `look` until it returns something. Later lines stay for the next call.
    pub(super) fn find<T>(&mut self, look: &mut dyn FnMut(&[u8]) -> Option<T>) -> Option<T> {
        while !self.pending.is_empty() {
            let rest = &self.chunk[self.pending.clone()];
            let Some(length) = rest.iter().position(|byte| *byte == b'\n') else {
                keep(&mut self.partial, rest);
                self.pending = 0..0;
                break;
            };
            let line = &rest[..length];
            self.pending.start += length + 1;
            let found = if self.partial.is_empty() {
                look(line.trim_ascii())
            } else {
                keep(&mut self.partial, line);
                let found = look(self.partial.trim_ascii());
                self.partial.clear();
                self.partial.shrink_to(CHUNK);
                found
            };
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// The beginning of an incomplete line, trimmed.
    pub(super) fn partial(&self) -> &[u8] {
        self.partial.trim_ascii()
    }
}

fn keep(partial: &mut Vec<u8>, more: &[u8]) {
    let room = MAX_LINE - partial.len().min(MAX_LINE);
    partial.extend_from_slice(&more[..more.len().min(room)]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn all(lines: &mut LineReader, mut input: &[u8], piece: usize) -> Vec<Vec<u8>> {
        let mut seen = Vec::new();
        while !input.is_empty() {
            let (now, later) = input.split_at(piece.clamp(1, input.len()));
            lines
                .fill(|room| {
                    room[..now.len()].copy_from_slice(now);
                    Ok(now.len())
                })
                .unwrap();
            lines.find::<()>(&mut |line| {
                seen.push(line.to_vec());
                None
            });
            input = later;
        }
        seen
    }

    #[test]
    fn line_ends_of_every_kind_and_blanks_around() {
        let seen = all(&mut LineReader::new(), b"uciok\r\n\n  readyok \nbest\xffmove", 3);
        assert_eq!(seen, [&b"uciok"[..], b"", b"readyok"]);
    }

    #[test]
    fn what_was_looked_for_leaves_the_rest() {
        let mut lines = LineReader::new();
        lines
            .fill(|room| {
                room[..6].copy_from_slice(b"a\nb\nc\n");
                Ok(6)
            })
            .unwrap();
        let find = |lines: &mut LineReader, wanted: &[u8]| lines.find(&mut |line| (line == wanted).then_some(()));
        assert!(find(&mut lines, b"b").is_some());
        assert!(find(&mut lines, b"a").is_none());
    }

    #[test]
    fn a_line_of_megabytes_takes_no_memory() {
        let mut lines = LineReader::new();
        let mut long = vec![b'x'; 5_000_000];
        long.extend_from_slice(b"\nbestmove e2e4\n");
        let seen = all(&mut lines, &long, CHUNK);
        assert_eq!(seen.len(), 2);
        assert_eq!(seen[0].len(), MAX_LINE);
        assert_eq!(seen[1], b"bestmove e2e4");
        assert!(lines.partial.capacity() <= 2 * MAX_LINE);
    }

    proptest! {
        #[test]
        fn pieces_do_not_matter(words in proptest::collection::vec("[a-z]{0,9}", 1..20), piece in 1_usize..40) {
            let text = format!("{}\n", words.join("\r\n"));
            let seen = all(&mut LineReader::new(), text.as_bytes(), piece);
            prop_assert_eq!(seen, words.iter().map(|word| word.as_bytes().to_vec()).collect::<Vec<_>>());
        }
    }
}
