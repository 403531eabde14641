//! What is wrong with a FEN, in words. The board library only says which field it is.

use cozy_chess::{Board, Color, FenParseError, Piece, get_king_moves};

/// The error of an invalid FEN.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct FenError(String);

impl FenError {
    pub(crate) fn new(reason: String) -> Self {
        Self(reason)
    }

    /// Why the library refuses a FEN with these first four fields.
    pub(crate) fn of(fields: [&str; 4], error: FenParseError) -> Self {
        let [pieces, turn, castling, en_passant] = fields;
        let (us, them) = if turn == "b" {
            ("Black", "White")
        } else {
            ("White", "Black")
        };
        Self(match error {
            FenParseError::InvalidBoard => match misspelt(pieces) {
                Some(reason) => format!("`{pieces}` is not a placement of pieces: {reason}"),
                None => format!(
                    "`{pieces}` is not a legal placement: each side has one king, at most 16 pieces and 8 pawns, and no pawn on rank \
                     1 or 8; {them} is not in check, and at most two pieces give check to {us}"
                ),
            },
            FenParseError::InvalidSideToMove => format!("the side to move is `w` or `b`, not `{turn}`"),
            FenParseError::InvalidCastlingRights => format!(
                "castling rights `{castling}` do not fit the kings and rooks of `{pieces}`; `-` is none, and in Chess960 a \
                 letter is the file of a rook, as in `HAha`"
            ),
            FenParseError::InvalidEnPassant => format!(
                "en passant square `{en_passant}`: no pawn of {them} can have passed it with the last move; `-` is none"
            ),
            FenParseError::InvalidHalfMoveClock
            | FenParseError::InvalidFullmoveNumber
            | FenParseError::MissingField
            | FenParseError::TooManyFields => error.to_string(),
        })
    }

    /// Why a board cannot occur in a game of chess although the library accepts it; `None` when it can occur.
    pub(crate) fn of_board(board: &Board) -> Option<Self> {
        let [white, black] = Color::ALL.map(|color| board.king(color));
        if get_king_moves(white).has(black) {
            return Some(Self(format!("the kings on {white} and {black} stand side by side")));
        }
        Color::ALL
            .into_iter()
            .find_map(|color| too_many_pieces(board, color))
            .map(Self)
    }
}

/// Why a text is not the first field of a FEN; `None` when it is one.
fn misspelt(pieces: &str) -> Option<String> {
    let ranks: Vec<&str> = pieces.split('/').collect();
    if ranks.len() != 8 {
        let plural = if ranks.len() == 1 { "" } else { "s" };
        return Some(format!("it has {} rank{plural}, divided by `/`, not 8", ranks.len()));
    }
    ranks.iter().zip((1..=8).rev()).find_map(|(rank, number)| {
        if let Some(wrong) = rank.chars().find(|letter| !"PNBRQKpnbrqk123456789".contains(*letter)) {
            return Some(format!(
                "`{}` in rank {number} is neither a piece (one of PNBRQK or pnbrqk) nor a number of empty squares",
                wrong.escape_default()
            ));
        }
        let squares: u32 = rank.chars().map(|letter| letter.to_digit(10).unwrap_or(1)).sum();
        (squares != 8).then(|| format!("rank {number}, `{rank}`, has {squares} squares, not 8"))
    })
}

/// Why a side cannot have its pieces. Every piece beyond one queen and two each of knights, bishops and rooks is a
/// promoted pawn.
fn too_many_pieces(board: &Board, color: Color) -> Option<String> {
    let count = |piece| board.colored_pieces(color, piece).len();
    let twos = [Piece::Knight, Piece::Bishop, Piece::Rook].map(|piece| count(piece).saturating_sub(2));
    let promoted = twos.iter().sum::<u32>() + count(Piece::Queen).saturating_sub(1);
    let (pawns, side) = (
        count(Piece::Pawn),
        if color == Color::White { "White" } else { "Black" },
    );
    (promoted + pawns > 8)
        .then(|| format!("{side} has {pawns} pawns and {promoted} pieces that must have been pawns: more than 8"))
}

#[cfg(test)]
mod tests {
    use crate::position::Position;

    #[test]
    fn every_fault_has_its_reason() {
        for (fen, reason) in [
            ("8/8/8/8/8/8/8/K7 w - - 0 1", "each side has one king"),
            ("8/8/8/8/8/8/8/8/K6k w - - 0 1", "it has 9 ranks"),
            ("K6k/8/8/8/8/7/8/8 w - - 0 1", "rank 3, `7`, has 7 squares"),
            ("K6k/8/8/8/8/PPPPPPPPP/8/8 w - - 0 1", "`PPPPPPPPP`, has 9 squares"),
            ("K6k/8/8/8/9/8/8/8 w - - 0 1", "rank 4, `9`, has 9 squares"),
            ("K6k/8/8/8/8/8/x7/8 w - - 0 1", "`x` in rank 2 is neither"),
            ("K6k/8/8/8/8/8/8/P7 w - - 0 1", "no pawn on rank 1 or 8"),
            ("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", "Black is not in check"),
            ("7k/5QK1/8/8/8/8/8/8 b - - 0 1", "stand side by side"),
            ("4k3/8/8/8/8/8/8/4K2R x K - 0 1", "the side to move is"),
            ("4k3/8/8/8/8/8/8/4K2R w KQ - 0 1", "castling rights `KQ` do not fit"),
            ("4k3/8/8/8/8/8/8/4K2R w X - 0 1", "castling rights `X` do not fit"),
            ("4k3/8/8/8/8/8/8/4K3 w - e9 0 1", "en passant square `e9`"),
            ("4k3/8/8/8/8/8/8/4K3 w - d6 0 1", "no pawn of Black can have passed it"),
            (
                "4k3/8/3N4/3p4/8/8/8/4K3 b - d6 0 1",
                "no pawn of White can have passed it",
            ),
            ("4k3/8/8/8/8/8/8/4K3 w - - x 1", "the halfmove clock `x` is not"),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 1.5", "the move number `1.5` is not"),
            ("", "a FEN has 6 fields"),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 2", "without the counters), not 7"),
            (
                "QQQQQQQQ/QQQQQQQ1/8/8/8/8/1k6/7K b - - 0 1",
                "14 pieces that must have been pawns",
            ),
        ] {
            let said = Position::from_fen(fen).unwrap_err().to_string();
            assert!(said.contains(reason), "{fen}: {said}");
        }
    }
}
