//! A record of a trace: one late move, or the shadow search of one. Its numbers are little-endian.

/// The bytes before the numbers.
const FIXED_BYTES: usize = 40;
const MOVE_BYTES: usize = 8;
const FEN_BYTES: usize = 96;

/// The outcome of a move, by its last search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MoveResult {
    /// Its score was at or below alpha.
    FailedLow,
    /// Its score was inside the window.
    Inside,
    /// Its score was at or above beta.
    FailedHigh,
}

/// What a record is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordKind {
    /// A move that the engine searched.
    Move(MoveResult),
    /// The shadow search of a move: whether it raises alpha, or `None` when the search did not end.
    Shadow(Option<bool>),
}

/// A position, and the move that is searched in it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TracedPosition {
    /// The position before the move.
    pub fen: String,
    /// The move as UCI writes it.
    pub uci_move: String,
}

/// A record of a trace.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Record {
    /// What it is about.
    pub kind: RecordKind,
    /// Whether the move was late: the condition of the scheme held.
    pub late: bool,
    /// Whether the score of the first search was above alpha.
    pub failed_high: bool,
    /// The reduction, in plies.
    pub reduction: i16,
    /// The depth of the move without a reduction, in plies; 0 in the record of a shadow search.
    pub full_depth: i16,
    /// The number of the search, from 1 on.
    pub search: u32,
    /// The nodes of the first search.
    pub first_nodes: u32,
    /// The nodes of all searches of the move; in the record of a shadow search, those of that search.
    pub nodes: u32,
    /// The number of the move. The records of a move and of its shadow search share it.
    pub id: u64,
    /// The flags: bit 0 is the first name of [`TraceHeader::flags`](super::TraceHeader::flags).
    pub flags: u64,
    /// The numbers, as [`TraceHeader::numbers`](super::TraceHeader::numbers) names them.
    pub numbers: Vec<f64>,
    /// The position, when the trace has positions and the engine gave it.
    pub position: Option<TracedPosition>,
}

/// The length of a record.
pub(crate) fn bytes(numbers: usize, has_positions: bool) -> usize {
    FIXED_BYTES + 8 * numbers + if has_positions { MOVE_BYTES + FEN_BYTES } else { 0 }
}

impl Record {
    /// The bytes of the record.
    pub(crate) fn write(&self, has_positions: bool) -> Vec<u8> {
        let (kind, outcome) = match self.kind {
            RecordKind::Move(outcome) => (b'D', outcome as i8),
            RecordKind::Shadow(raises) => (b'S', raises.map_or(-1, i8::from)),
        };
        let mut bytes = vec![kind, u8::from(self.late), u8::from(self.failed_high)];
        bytes.extend(outcome.to_le_bytes());
        bytes.extend(self.reduction.to_le_bytes());
        bytes.extend(self.full_depth.to_le_bytes());
        for number in [self.search, self.first_nodes, self.nodes, 0] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(self.id.to_le_bytes());
        bytes.extend(self.flags.to_le_bytes());
        for number in &self.numbers {
            bytes.extend(number.to_le_bytes());
        }
        if has_positions {
            let (uci_move, fen) = match &self.position {
                Some(position) => (position.uci_move.as_str(), position.fen.as_str()),
                None => ("", ""),
            };
            for (text, length) in [(uci_move, MOVE_BYTES), (fen, FEN_BYTES)] {
                // A text that is too long is left out.
                let text = if text.len() <= length { text } else { "" };
                bytes.extend(text.bytes().chain(std::iter::repeat(0)).take(length));
            }
        }
        bytes
    }

    /// Reads the bytes of a record. The error says what is wrong in them.
    pub(crate) fn read(bytes: &[u8], numbers: usize, has_positions: bool) -> Result<Self, &'static str> {
        let mut bytes = Bytes(bytes);
        let [kind, late, failed_high, outcome] = bytes.take()?;
        let kind = match (kind, outcome as i8) {
            (b'D', 0) => RecordKind::Move(MoveResult::FailedLow),
            (b'D', 1) => RecordKind::Move(MoveResult::Inside),
            (b'D', 2) => RecordKind::Move(MoveResult::FailedHigh),
            (b'S', -1) => RecordKind::Shadow(None),
            (b'S', 0) => RecordKind::Shadow(Some(false)),
            (b'S', 1) => RecordKind::Shadow(Some(true)),
            (b'D' | b'S', _) => return Err("its outcome is none that there is"),
            _ => return Err("its kind is neither D nor S"),
        };
        let record = Self {
            kind,
            late: late != 0,
            failed_high: failed_high != 0,
            reduction: i16::from_le_bytes(bytes.take()?),
            full_depth: i16::from_le_bytes(bytes.take()?),
            search: u32::from_le_bytes(bytes.take()?),
            first_nodes: u32::from_le_bytes(bytes.take()?),
            nodes: u32::from_le_bytes(bytes.take()?),
            id: {
                let _zero: [u8; 4] = bytes.take()?;
                u64::from_le_bytes(bytes.take()?)
            },
            flags: u64::from_le_bytes(bytes.take()?),
            numbers: (0..numbers)
                .map(|_| Ok(f64::from_le_bytes(bytes.take()?)))
                .collect::<Result<_, _>>()?,
            position: if has_positions {
                let uci_move = text(&bytes.take::<MOVE_BYTES>()?)?;
                let fen = text(&bytes.take::<FEN_BYTES>()?)?;
                (!fen.is_empty()).then_some(TracedPosition { fen, uci_move })
            } else {
                None
            },
        };
        match record.numbers.iter().all(|number| number.is_finite()) {
            true => Ok(record),
            false => Err("a number is not finite"),
        }
    }
}

/// The bytes that are left.
struct Bytes<'b>(&'b [u8]);

impl Bytes<'_> {
    fn take<const COUNT: usize>(&mut self) -> Result<[u8; COUNT], &'static str> {
        let (first, rest) = self.0.split_first_chunk().ok_or("it is too short")?;
        self.0 = rest;
        Ok(*first)
    }
}

/// The text before the first NUL.
fn text(bytes: &[u8]) -> Result<String, &'static str> {
    let text = bytes.split(|byte| *byte == 0).next().unwrap_or_default();
    let text = std::str::from_utf8(text).map_err(|_| "its position is no text")?;
    Ok(text.to_owned())
}
