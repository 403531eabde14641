//! The variant that the openings of a file are played in.

use std::ops::Range;

use cozy_chess::{BitBoard, Board, Color, Piece, Rank};
use lmrlab_engine::chess_variant::ChessVariant;
use lmrlab_engine::position::Position;

/// An opening as its file has it.
#[derive(Debug)]
pub(super) struct Opening {
    /// The position, or why there is none.
    pub(super) position: Result<Position, String>,
    pub(super) place: Range<usize>,
    /// Whether the file calls it one of Chess960: it names the files of rooks, or has the tag `Variant`.
    pub(super) is_called_chess960: bool,
}

impl Opening {
    /// The only variant that fits it; `None` when both fit.
    fn variant(&self) -> Option<ChessVariant> {
        let board = self.position.as_ref().ok()?.board();
        let has_rights = |color: Color| {
            let rights = board.castle_rights(color);
            rights.short.is_some() || rights.long.is_some()
        };
        if self.is_called_chess960 || ChessVariant::of(board) == ChessVariant::Chess960 {
            Some(ChessVariant::Chess960)
        } else {
            // The initial position of chess is one of the 960.
            let is_either = is_array(board) || !Color::ALL.into_iter().any(has_rights);
            (!is_either).then_some(ChessVariant::Standard)
        }
    }
}

/// Whether all pieces are on their squares of the initial position.
fn is_array(board: &Board) -> bool {
    let ranks = |ranks: [Rank; 2]| {
        ranks
            .into_iter()
            .fold(BitBoard::EMPTY, |all, rank| all | rank.bitboard())
    };
    let pawns = ranks([Rank::Second, Rank::Seventh]);
    board.pieces(Piece::Pawn) == pawns && board.occupied() == pawns | ranks([Rank::First, Rank::Eighth])
}

/// The variant of a book.
///
/// # Errors
/// The openings that do not fit, each with the reason. When standard chess is asked for, these are the openings of
/// Chess960. When nothing is asked for and the book has openings of both variants, these are the openings of the rarer
/// variant.
pub(super) fn book_variant(
    openings: &[Opening],
    asked: Option<ChessVariant>,
    text: &str,
) -> Result<ChessVariant, Vec<(Range<usize>, String)>> {
    let of = |variant| {
        openings
            .iter()
            .filter(move |opening| opening.variant() == Some(variant))
    };
    match asked {
        Some(ChessVariant::Chess960) => Ok(ChessVariant::Chess960),
        Some(ChessVariant::Standard) => {
            let needs_other = |opening: &&Opening| {
                let position = opening.position.as_ref();
                position.is_ok_and(|position| ChessVariant::of(position.board()) == ChessVariant::Chess960)
            };
            let reason = "castling from these squares is that of Chess960, and the variant is to be `standard`";
            let wrong: Vec<_> = (openings.iter().filter(needs_other))
                .map(|opening| (opening.place.clone(), reason.to_owned()))
                .collect();
            if wrong.is_empty() {
                Ok(ChessVariant::Standard)
            } else {
                Err(wrong)
            }
        }
        None => {
            let counts = ChessVariant::NAMES.map(|(_, variant)| (of(variant).count(), variant));
            let ([(_, only), (0, _)] | [(0, _), (_, only)]) = counts else {
                let [(standard, _), (chess960, _)] = counts;
                let (few, many) = match standard < chess960 {
                    true => (ChessVariant::Standard, ChessVariant::Chess960),
                    false => (ChessVariant::Chess960, ChessVariant::Standard),
                };
                let first = of(many).next().map_or(0, |opening| opening.place.start);
                let line = text.get(..first).unwrap_or_default().matches('\n').count() + 1;
                let reason = format!(
                    "castling is that of {} here, and that of {} in line {line}",
                    few.title(),
                    many.title()
                );
                return Err(of(few).map(|opening| (opening.place.clone(), reason.clone())).collect());
            };
            Ok(only)
        }
    }
}
