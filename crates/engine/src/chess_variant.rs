//! The supported variants: chess and Chess960. They differ in the rules of castling and in its notation.
//!
//! Sources: FIDE, *Laws of Chess*, guidelines for Chess960; Stefan Meyer-Kahlen, Shredder-FEN and the UCI option
//! `UCI_Chess960`; Reinhard Scharnagl, X-FEN.

use cozy_chess::util::display_uci_move;
use cozy_chess::{Board, Color, FenParseError, File, Move, Piece, Rank, Square};

/// A variant of chess.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ChessVariant {
    /// Chess: castling begins with the king on the e-file and a rook in a corner. UCI writes the square to which the
    /// king goes.
    #[default]
    Standard,
    /// Chess960: castling begins with the king between two rooks, on any files. The two sides may begin with different
    /// arrays (double Chess960). UCI writes castling as a capture of the own rook by the king.
    Chess960,
}

impl ChessVariant {
    /// The variants and their names in files and on command lines.
    pub const NAMES: [(&'static str, Self); 2] = [("standard", Self::Standard), ("chess960", Self::Chess960)];

    /// The name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Standard => "standard",
            Self::Chess960 => "chess960",
        }
    }

    /// The name for readers.
    pub fn title(self) -> &'static str {
        match self {
            Self::Standard => "standard chess",
            Self::Chess960 => "Chess960",
        }
    }

    /// The variant that the castling rights of a position need. No move changes `Standard` to `Chess960`.
    pub fn of(board: &Board) -> Self {
        let is_usual = |color: Color| {
            let rights = board.castle_rights(color);
            let home = Square::new(File::E, Rank::First.relative_to(color));
            let is_at = |right: Option<File>, corner: File| right.is_none_or(|file| file == corner);
            let none = rights.short.is_none() && rights.long.is_none();
            none || (board.king(color) == home && is_at(rights.short, File::H) && is_at(rights.long, File::A))
        };
        match Color::ALL.into_iter().all(is_usual) {
            true => Self::Standard,
            false => Self::Chess960,
        }
    }

    /// A position of a game of this variant as FEN. In Chess960, and where the rights need it, castling rights name the files of
    /// the rooks (Shredder-FEN), as engines expect with `UCI_Chess960`.
    pub fn fen(self, board: &Board) -> String {
        match (self, Self::of(board)) {
            (Self::Standard, Self::Standard) => board.to_string(),
            (Self::Chess960, _) | (_, Self::Chess960) => format!("{board:#}"),
        }
    }

    /// A legal move as UCI writes it. [`parse_uci_move`](cozy_chess::util::parse_uci_move) reads the moves of both
    /// variants.
    pub fn uci_move(self, board: &Board, mv: Move) -> String {
        match self {
            Self::Standard => display_uci_move(board, mv).to_string(),
            Self::Chess960 => mv.to_string(),
        }
    }
}

/// Whether a FEN or EPD names castling rights by the files of rooks, as in `HAha`.
pub fn names_rook_files(fen: &str) -> bool {
    let castling = fen.split_ascii_whitespace().nth(2).unwrap_or_default();
    castling.contains(|letter: char| matches!(letter.to_ascii_lowercase(), 'a'..='h'))
}

/// The castling rights of X-FEN as files of rooks: `K` and `Q` mean the outermost rook on that side of the king.
pub(crate) fn rook_files([pieces, turn, castling, _]: &[&str; 4]) -> Result<String, FenParseError> {
    let board = Board::from_fen(&format!("{pieces} {turn} - - 0 1"), false)?;
    let file_of = |letter: char| {
        let color = match letter.is_ascii_uppercase() {
            true => Color::White,
            false => Color::Black,
        };
        let king = board.king(color).file();
        let back_rank = Rank::First.relative_to(color);
        let rooks = board.colored_pieces(color, Piece::Rook) & back_rank.bitboard();
        let files = rooks.into_iter().map(Square::file);
        let file = match letter.to_ascii_lowercase() {
            'k' => files.filter(|file| *file > king).max(),
            'q' => files.filter(|file| *file < king).min(),
            _ => return Some(letter),
        };
        let letter = char::from(file?);
        Some(match color {
            Color::White => letter.to_ascii_uppercase(),
            Color::Black => letter,
        })
    };
    let files: Option<String> = castling.chars().map(file_of).collect();
    files.ok_or(FenParseError::InvalidCastlingRights)
}

#[cfg(test)]
mod tests {
    use cozy_chess::util::parse_uci_move;

    use super::*;
    use crate::position::Position;

    fn position(fen: &str) -> Position {
        Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
    }

    #[test]
    fn castling_rights_are_read_in_all_three_notations() {
        for (fen, shredder) in [
            // The example of X-FEN: White castles with the inner rook.
            (
                "rn2k1r1/ppp1pp1p/3p2p1/5bn1/P7/2N2B2/1PPPPP2/2BNK1RR w Gkq - 4 11",
                "rn2k1r1/ppp1pp1p/3p2p1/5bn1/P7/2N2B2/1PPPPP2/2BNK1RR w Gga - 4 11",
            ),
            (
                "rn2k1r1/ppp1pp1p/3p2p1/5bn1/P7/2N2B2/1PPPPP2/2BNK1RR w Kkq - 4 11",
                "rn2k1r1/ppp1pp1p/3p2p1/5bn1/P7/2N2B2/1PPPPP2/2BNK1RR w Hga - 4 11",
            ),
            (
                "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w KQkq - 2 9",
                "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
            ),
            // Double Chess960.
            (
                "nrbkqbrn/pppppppp/8/8/8/8/PPPPPPPP/RKBBNNQR w KQkq - 0 1",
                "nrbkqbrn/pppppppp/8/8/8/8/PPPPPPPP/RKBBNNQR w HAgb - 0 1",
            ),
            (
                "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
                "r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1",
            ),
            (
                "4k3/8/8/8/8/8/8/1R2KR1R w KQ - 0 1",
                "4k3/8/8/8/8/8/8/1R2KR1R w HB - 0 1",
            ),
            ("4k3/8/8/8/8/8/8/1R2KR1R w F - 0 1", "4k3/8/8/8/8/8/8/1R2KR1R w F - 0 1"),
        ] {
            let read = position(fen);
            assert_eq!(ChessVariant::Chess960.fen(read.board()), shredder, "{fen}");
            assert_eq!(position(shredder).key(), read.key(), "{fen}");
        }
        for fen in [
            "4k3/8/8/8/8/8/8/1R2K3 w K - 0 1",
            "4k3/8/8/8/8/8/8/4K2R w KH - 0 1",
            "4k3/8/8/8/8/8/8/4K2R w G - 0 1",
            "4k3/8/8/8/8/8/4K3/7R w K - 0 1",
            "4k3/8/8/8/8/8/8/4K2R w KX - 0 1",
        ] {
            let error = Position::from_fen(fen).expect_err(fen).to_string();
            assert!(error.contains("do not fit the kings and rooks"), "{error}");
        }
    }

    #[test]
    fn the_rights_say_which_variant_they_need() {
        for (fen, variant) in [
            ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", ChessVariant::Standard),
            ("r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1", ChessVariant::Standard),
            ("1r1k4/8/8/8/8/8/8/3K2R1 w - - 0 1", ChessVariant::Standard),
            ("r3k2r/8/8/8/8/8/8/R3K1R1 w Qkq - 0 1", ChessVariant::Standard),
            ("r3k2r/8/8/8/8/8/8/R3K1R1 w KQkq - 0 1", ChessVariant::Chess960),
            ("r2k3r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", ChessVariant::Chess960),
            ("r3k2r/8/8/8/8/8/8/R3KR1R w Fkq - 0 1", ChessVariant::Chess960),
        ] {
            let read = position(fen);
            assert_eq!(ChessVariant::of(read.board()), variant, "{fen}");
            // A FEN can be read again without knowing its variant.
            assert_eq!(position(&read.to_string()).key(), read.key(), "{fen}");
        }
        for (fen, is_named) in [
            ("x w HAha -", true),
            ("x b f - 0 1", true),
            ("x w KQkq -", false),
            ("x w - a3", false),
            ("", false),
        ] {
            assert_eq!(names_rook_files(fen), is_named, "{fen}");
        }
    }

    #[test]
    fn castling_moves_are_written_for_their_variant() {
        let usual = position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
        for (mv, standard) in [("e1h1", "e1g1"), ("e1a1", "e1c1"), ("e1f1", "e1f1")] {
            let mv: Move = mv.parse().unwrap();
            assert_eq!(ChessVariant::Standard.uci_move(usual.board(), mv), standard);
            assert_eq!(ChessVariant::Chess960.uci_move(usual.board(), mv), mv.to_string());
        }
        // Two moves of the king lead to g1: a step, and castling.
        let other = position("5k2/8/8/8/8/8/8/5K1R w H - 0 1");
        for text in ["f1g1", "f1h1"] {
            let mv = parse_uci_move(other.board(), text).unwrap();
            assert_eq!(ChessVariant::Chess960.uci_move(other.board(), mv), text);
        }
        assert_eq!(
            other.after("f1h1".parse().unwrap()).to_string(),
            "5k2/8/8/8/8/8/8/5RK1 b - - 1 1"
        );
    }
}
