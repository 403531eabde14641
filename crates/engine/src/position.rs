//! A chess position: the board with pieces by square, hash keys and the piece-square sum.

use std::fmt;

use cozy_chess::{BitBoard, Board, Color, FenParseError, File, Move, Piece, Rank, Square, get_pawn_attacks};

use crate::chess_variant::{ChessVariant, rook_files};
pub use crate::fen_error::FenError;
use crate::weights::{Tapered, phase_weight, piece_square};
use crate::whole_number::whole_number;
use crate::zobrist::{Keys, en_passant_key, in_position_key, piece_key, turn_key};

/// A position, with incremental hash keys, piece-square sum and phase.
///
/// The library hashes the en passant file after every double push. [`Position::key`] hashes it only when the capture is
/// legal. So transpositions have one key, and repetitions are those of the FIDE Laws of Chess, article 9.2.
#[derive(Debug, Clone)]
pub struct Position {
    board: Board,
    squares: [Option<Piece>; 64],
    key: u64,
    keys: Keys,
    pub(crate) piece_square_sum: Tapered,
    pub(crate) phase: i32,
}

impl Position {
    /// The initial position of a game.
    pub fn initial() -> Self {
        Self::from_board(Board::default())
    }

    /// Reads a FEN. Castling rights may be those of chess, of Shredder-FEN or of X-FEN. The two counters may be
    /// missing, as in EPD, and each may be `-`. An impossible number becomes the nearest one that is possible; see
    /// [`Position::with_counters`].
    ///
    /// # Errors
    /// When the text is not a FEN, or the position cannot occur in a game of chess (no king, a side in check that is not
    /// to move, castling rights without a rook, ...).
    pub fn from_fen(fen: &str) -> Result<Self, FenError> {
        let fields: Vec<&str> = fen.split_ascii_whitespace().collect();
        let (fields, counters) = match fields.split_first_chunk::<4>() {
            Some((fields, counters)) if counters.len() <= 2 => (fields, counters),
            _ => {
                let count = fields.len();
                let reason = format!("a FEN has 6 fields (or 4, without the counters), not {count}");
                return Err(FenError::new(reason));
            }
        };
        let board = read_board(fields).map_err(|error| FenError::of(*fields, error))?;
        if let Some(error) = FenError::of_board(&board) {
            return Err(error);
        }
        let counter = |index: usize, name: &str| match counters.get(index) {
            None | Some(&"-") => Ok(None),
            Some(text) => whole_number(text)
                .map(Some)
                .ok_or_else(|| FenError::new(format!("the {name} `{text}` is not a whole number"))),
        };
        let (clock, number) = (counter(0, "halfmove clock")?, counter(1, "move number")?);
        Ok(Self::from_board(board).with_counters(clock, number))
    }

    /// The same position with another halfmove clock and another move number, where they are given. Files of other
    /// programs have move number 0, and clocks beyond 100 where no player has claimed a draw. So each number becomes
    /// the nearest one that is possible: clocks from 0 to 100, move numbers from 1 to 65535.
    #[must_use]
    pub fn with_counters(mut self, clock: Option<i64>, number: Option<i64>) -> Self {
        if let Some(clock) = clock {
            self.board.set_halfmove_clock(clock.clamp(0, 100) as u8);
        }
        if let Some(number) = number {
            self.board
                .set_fullmove_number(number.clamp(1, i64::from(u16::MAX)) as u16);
        }
        self
    }

    /// The position of a board.
    pub(crate) fn from_board(board: Board) -> Self {
        let mut position = Self {
            squares: [None; 64],
            key: 0,
            keys: Keys::default(),
            piece_square_sum: Tapered::ZERO,
            phase: 0,
            board,
        };
        for color in Color::ALL {
            for piece in Piece::ALL {
                for square in position.board.colored_pieces(color, piece) {
                    position.put(color, piece, square);
                }
            }
        }
        position.keys.set_castling(&position.board);
        position.key = position.fresh_key();
        position
    }

    /// The board of cozy-chess.
    #[inline]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The hash key. Positions that are equal by the rules of repetition have the same key.
    #[inline]
    pub fn key(&self) -> u64 {
        self.key
    }

    /// The hash key of the pawns; 0 without pawns.
    #[inline]
    pub(crate) fn pawn_key(&self) -> u64 {
        self.keys.pawns()
    }

    /// The keys of parts of the position.
    #[inline]
    pub(crate) fn keys(&self) -> &Keys {
        &self.keys
    }

    /// The likely key of the position after a legal move, for prefetching. It ignores castling, promotions, en passant and
    /// lost castling rights.
    #[inline]
    pub(crate) fn likely_key_after(&self, mv: Move) -> u64 {
        let us = self.side_to_move();
        let mut key = self.key ^ turn_key();
        if let Some(moved) = self.piece_on(mv.from) {
            let change = piece_key(us, moved, mv.from) ^ piece_key(us, moved, mv.to);
            key ^= in_position_key(us, change);
        }
        if let Some(captured) = self.piece_on(mv.to) {
            key ^= in_position_key(!us, piece_key(!us, captured, mv.to));
        }
        key
    }

    /// The side to move.
    #[inline]
    pub fn side_to_move(&self) -> Color {
        self.board.side_to_move()
    }

    /// The number of the move in its game, from 1; the two sides' moves count as one.
    #[inline]
    pub(crate) fn move_number(&self) -> u32 {
        self.board.fullmove_number().into()
    }

    /// Whether the side to move is in check.
    #[inline]
    pub fn in_check(&self) -> bool {
        !self.board.checkers().is_empty()
    }

    /// The piece on a square, of either colour.
    #[inline]
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        self.squares[square as usize]
    }

    /// The pieces of one kind and colour.
    #[inline]
    pub fn pieces(&self, color: Color, piece: Piece) -> BitBoard {
        self.board.colored_pieces(color, piece)
    }

    /// Whether a legal move castles (cozy-chess encodes it as the king capturing its own rook).
    #[inline]
    pub fn is_castling(&self, mv: Move) -> bool {
        self.board.colors(self.side_to_move()).has(mv.to)
    }

    /// The piece that a legal move captures, en passant included.
    #[inline]
    pub fn captured(&self, mv: Move) -> Option<Piece> {
        match self.piece_on(mv.to) {
            Some(_) if self.is_castling(mv) => None,
            Some(piece) => Some(piece),
            None if self.is_en_passant(mv) => Some(Piece::Pawn),
            None => None,
        }
    }

    /// Whether a legal move captures en passant.
    #[inline]
    pub fn is_en_passant(&self, mv: Move) -> bool {
        mv.from.file() != mv.to.file() && self.piece_on(mv.from) == Some(Piece::Pawn) && self.piece_on(mv.to).is_none()
    }

    /// Whether a legal move neither captures nor promotes.
    #[inline]
    pub fn is_quiet(&self, mv: Move) -> bool {
        mv.promotion.is_none() && self.captured(mv).is_none()
    }

    /// Whether a side has a piece other than king and pawns.
    #[inline]
    pub fn has_pieces(&self, color: Color) -> bool {
        let board = &self.board;
        !(board.colors(color) & !(board.pieces(Piece::Pawn) | board.pieces(Piece::King))).is_empty()
    }

    /// The number of pieces of a side other than king and pawns.
    #[inline]
    pub(crate) fn piece_count(&self, color: Color) -> u32 {
        let board = &self.board;
        (board.colors(color) & !(board.pieces(Piece::Pawn) | board.pieces(Piece::King))).len()
    }

    /// The position after a legal move.
    #[inline]
    #[must_use]
    pub fn after(&self, mv: Move) -> Self {
        let mut child = self.clone();
        child.play(mv);
        child
    }

    /// Plays a legal move.
    ///
    /// An illegal move leaves a position that is not one of chess; callers check moves of unknown origin with
    /// `board().is_legal(mv)` first.
    pub fn play(&mut self, mv: Move) {
        let us = self.side_to_move();
        let Some(moved) = self.piece_on(mv.from) else {
            return;
        };
        let there = self.piece_on(mv.to);
        if self.is_castling(mv) {
            let rank = Rank::First.relative_to(us);
            let (king, rook) = if mv.from.file() < mv.to.file() {
                (File::G, File::F)
            } else {
                (File::C, File::D)
            };
            self.take(us, Piece::King, mv.from);
            self.take(us, Piece::Rook, mv.to);
            self.put(us, Piece::King, Square::new(king, rank));
            self.put(us, Piece::Rook, Square::new(rook, rank));
        } else {
            if let Some(captured) = there {
                self.take(!us, captured, mv.to);
            } else if self.is_en_passant(mv) {
                self.take(!us, Piece::Pawn, Square::new(mv.to.file(), mv.from.rank()));
            }
            match mv.promotion {
                None => self.shift(us, moved, mv.from, mv.to),
                Some(promotion) => {
                    self.take(us, moved, mv.from);
                    self.put(us, promotion, mv.to);
                }
            }
        }
        self.board.play_unchecked(mv);
        // Nothing else can cost a right to castle.
        if matches!(moved, Piece::King | Piece::Rook) || there == Some(Piece::Rook) {
            self.keys.set_castling(&self.board);
        }
        self.key = self.fresh_key();
        #[cfg(debug_assertions)]
        self.assert_consistent();
    }

    /// The position after a null move; `None` in check.
    pub fn pass(&self) -> Option<Self> {
        let board = self.board.null_move()?;
        let mut position = Self { board, ..self.clone() };
        position.key = position.fresh_key();
        Some(position)
    }

    /// Whether neither side has the material for any mate: bare kings, one minor piece, or bishops of one colour only.
    pub fn is_insufficient_material(&self) -> bool {
        let board = &self.board;
        let kings_and = |pieces: BitBoard| (board.occupied() & !pieces) == board.pieces(Piece::King);
        let minors = board.pieces(Piece::Knight) | board.pieces(Piece::Bishop);
        if !kings_and(minors) {
            return false;
        }
        let bishops = board.pieces(Piece::Bishop);
        minors.len() <= 1
            || (board.pieces(Piece::Knight).is_empty()
                && (bishops.is_subset(BitBoard::DARK_SQUARES) || bishops.is_subset(BitBoard::LIGHT_SQUARES)))
    }

    fn put(&mut self, color: Color, piece: Piece, square: Square) {
        self.squares[square as usize] = Some(piece);
        self.piece_square_sum += piece_square(color, piece, square);
        self.phase += phase_weight(piece);
        self.keys.toggle(color, piece, square);
    }

    fn take(&mut self, color: Color, piece: Piece, square: Square) {
        self.squares[square as usize] = None;
        self.piece_square_sum -= piece_square(color, piece, square);
        self.phase -= phase_weight(piece);
        self.keys.toggle(color, piece, square);
    }

    fn shift(&mut self, color: Color, piece: Piece, from: Square, to: Square) {
        self.squares[from as usize] = None;
        self.squares[to as usize] = Some(piece);
        self.piece_square_sum += piece_square(color, piece, to) - piece_square(color, piece, from);
        self.keys.shift(color, piece, from, to);
    }

    fn fresh_key(&self) -> u64 {
        let key = self.keys.whole(self.side_to_move());
        match self.board.en_passant() {
            Some(file) if self.en_passant_is_legal(file) => key ^ en_passant_key(file),
            _ => key,
        }
    }

    fn en_passant_is_legal(&self, file: File) -> bool {
        let us = self.side_to_move();
        let to = Square::new(file, Rank::Sixth.relative_to(us));
        (get_pawn_attacks(to, !us) & self.pieces(us, Piece::Pawn))
            .into_iter()
            .any(|from| {
                self.board.is_legal(Move {
                    from,
                    to,
                    promotion: None,
                })
            })
    }

    /// Compares the incremental state with the board, in debug builds.
    #[cfg(debug_assertions)]
    fn assert_consistent(&self) {
        let fresh = Self::from_board(self.board.clone());
        assert_eq!(fresh.squares, self.squares, "pieces by square of {}", self.board);
        assert_eq!(fresh.key, self.key, "key of {}", self.board);
        assert_eq!(fresh.keys, self.keys, "keys of {}", self.board);
        assert_eq!(
            fresh.piece_square_sum, self.piece_square_sum,
            "piece-square sum of {}",
            self.board
        );
        assert_eq!(fresh.phase, self.phase, "phase of {}", self.board);
    }
}

/// The position as FEN. Castling rights that need Chess960 name the files of the rooks.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&ChessVariant::Standard.fen(&self.board))
    }
}

/// The board of the first four fields of a FEN.
fn read_board(fields: &[&str; 4]) -> Result<Board, FenParseError> {
    // The library takes missing ranks as empty.
    if fields[0].split('/').count() != Rank::NUM {
        return Err(FenParseError::InvalidBoard);
    }
    let [pieces, turn, castling, en_passant] = fields;
    let read =
        |castling: &str, shredder| Board::from_fen(&format!("{pieces} {turn} {castling} {en_passant} 0 1"), shredder);
    read(castling, false).or_else(|error| match error {
        FenParseError::InvalidCastlingRights => read(&rook_files(fields)?, true),
        _ => Err(error),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_count_as_the_nearest_number_that_is_possible() {
        for (counters, read) in [
            ("", "0 1"),
            (" 7", "7 1"),
            (" 7 9", "7 9"),
            (" - -", "0 1"),
            (" - 9", "0 9"),
            (" 7 -", "7 1"),
            (" 0 0", "0 1"),
            (" 100 65535", "100 65535"),
            (" 113 65536", "100 65535"),
            (" -1 -1", "0 1"),
            (" 99999999999999999999 99999999999999999999", "100 65535"),
        ] {
            let position = Position::from_fen(&format!("4k3/8/8/8/8/8/8/4K2R w K -{counters}")).unwrap();
            assert_eq!(
                position.to_string(),
                format!("4k3/8/8/8/8/8/8/4K2R w K - {read}"),
                "{counters}"
            );
        }
    }

    #[test]
    fn counters_may_be_missing_and_castling_may_name_files() {
        for fen in [
            "r3k2r/8/8/8/8/8/8/R3K2R w KQkq -",
            "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 7",
            "r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1",
            "  r3k2r/8/8/8/8/8/8/R3K2R  w KQkq - 0  1 ",
        ] {
            assert!(Position::from_fen(fen).is_ok(), "{fen}");
        }
    }
}
