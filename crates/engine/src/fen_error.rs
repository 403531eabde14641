//! What is wrong with a FEN, in words. The board library only says which field it is.

use std::fmt;

use cozy_chess::{
    BitBoard, Board, Color, FenParseError, File, Piece, Rank, Square, get_bishop_moves, get_king_moves,
    get_knight_moves, get_pawn_attacks, get_rook_moves,
};

/// The error of an invalid FEN.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FenError {
    reason: String,
}

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)
    }
}

impl std::error::Error for FenError {}

impl FenError {
    /// The error with this reason.
    pub(crate) fn new(reason: String) -> Self {
        Self { reason }
    }

    /// Why the library refuses a FEN with these first four fields.
    pub(crate) fn of(fields: [&str; 4], error: FenParseError) -> Self {
        let [pieces, turn, castling, en_passant] = fields;
        let placement = || Placement::read(pieces);
        let side = if turn == "b" { Color::Black } else { Color::White };
        let reason = match error {
            FenParseError::InvalidBoard => match placement() {
                Ok(placement) => format!("`{pieces}` is not a legal placement: {}", placement.fault(side)),
                Err(reason) => format!("`{pieces}` is not a placement of pieces: {reason}"),
            },
            FenParseError::InvalidSideToMove => format!("the side to move is `w` or `b`, not `{turn}`"),
            FenParseError::InvalidCastlingRights => {
                let reason = placement().and_then(|placement| placement.castling_fault(castling));
                format!("castling rights `{castling}`: {}", either(reason))
            }
            FenParseError::InvalidEnPassant => {
                let reason = placement().map(|placement| placement.en_passant_fault(en_passant, side));
                format!("en passant square `{en_passant}`: {}", either(reason))
            }
            FenParseError::InvalidHalfMoveClock
            | FenParseError::InvalidFullmoveNumber
            | FenParseError::MissingField
            | FenParseError::TooManyFields => error.to_string(),
        };
        Self { reason }
    }

    /// Why a board that the library accepts is none of a game of chess, if it is none.
    pub(crate) fn of_board(board: &Board) -> Option<Self> {
        let kings = Color::ALL.map(|color| board.king(color));
        let reason = Color::ALL
            .into_iter()
            .find_map(|color| too_many_pieces(board, color))
            .or_else(|| {
                get_king_moves(kings[0])
                    .has(kings[1])
                    .then(|| format!("the kings on {} and {} stand side by side", kings[0], kings[1]))
            });
        reason.map(Self::new)
    }
}

fn either(reason: Result<String, String>) -> String {
    reason.unwrap_or_else(|reason| reason)
}

/// Where pieces stand, legal or not.
struct Placement {
    pieces: [[BitBoard; Piece::NUM]; Color::NUM],
}

impl Placement {
    /// Reads the first field of a FEN.
    fn read(text: &str) -> Result<Self, String> {
        let ranks: Vec<&str> = text.split('/').collect();
        if ranks.len() != Rank::NUM {
            let ranks = count(ranks.len() as u32, "rank", "ranks");
            return Err(format!("it has {ranks}, divided by `/`, not 8"));
        }
        let mut placement = Self {
            pieces: [[BitBoard::EMPTY; Piece::NUM]; Color::NUM],
        };
        for (rank, text) in Rank::ALL.into_iter().rev().zip(ranks) {
            placement.read_rank(rank, text)?;
        }
        Ok(placement)
    }

    fn read_rank(&mut self, rank: Rank, text: &str) -> Result<(), String> {
        let number = rank as usize + 1;
        let mut file = 0;
        for letter in text.chars() {
            if let Some(empty) = letter.to_digit(10) {
                file += empty as usize;
                continue;
            }
            let piece = letter.to_ascii_lowercase().try_into().map_err(|_| {
                format!(
                    "`{}` in rank {number} is neither a piece (one of PNBRQK or pnbrqk) nor a number of empty squares",
                    letter.escape_default()
                )
            })?;
            if let Some(file) = File::try_index(file) {
                let piece: Piece = piece;
                self.pieces[color_of(letter) as usize][piece as usize] |= Square::new(file, rank).bitboard();
            }
            file += 1;
        }
        if file == File::NUM {
            return Ok(());
        }
        let squares = count(file as u32, "square", "squares");
        Err(format!("rank {number}, `{text}`, has {squares}, not 8"))
    }

    fn of(&self, color: Color, piece: Piece) -> BitBoard {
        self.pieces[color as usize][piece as usize]
    }

    fn of_color(&self, color: Color) -> BitBoard {
        Piece::ALL
            .into_iter()
            .fold(BitBoard::EMPTY, |all, piece| all | self.of(color, piece))
    }

    fn occupied(&self) -> BitBoard {
        self.of_color(Color::White) | self.of_color(Color::Black)
    }

    /// The king of a side that has one.
    fn king(&self, color: Color) -> Option<Square> {
        self.of(color, Piece::King).next_square()
    }

    /// The pieces of the other side that give check to this king.
    fn checkers(&self, color: Color) -> BitBoard {
        let Some(king) = self.king(color) else {
            return BitBoard::EMPTY;
        };
        let of = |piece| self.of(!color, piece);
        let occupied = self.occupied();
        (get_pawn_attacks(king, color) & of(Piece::Pawn))
            | (get_knight_moves(king) & of(Piece::Knight))
            | (get_bishop_moves(king, occupied) & (of(Piece::Bishop) | of(Piece::Queen)))
            | (get_rook_moves(king, occupied) & (of(Piece::Rook) | of(Piece::Queen)))
    }

    /// Why no game of chess has this placement, with this side to move.
    fn fault(&self, to_move: Color) -> String {
        for color in Color::ALL {
            let side = name(color);
            let kings = self.of(color, Piece::King);
            match kings.len() {
                0 => return format!("{side} has no king"),
                1 => {}
                number => return format!("{side} has {number} kings, on {}", squares(kings)),
            }
            let pawns = self.of(color, Piece::Pawn);
            let misplaced = pawns & (Rank::First.bitboard() | Rank::Eighth.bitboard());
            if !misplaced.is_empty() {
                return format!(
                    "{side} has a pawn on {}; pawns stand on ranks 2 to 7",
                    squares(misplaced)
                );
            }
            if pawns.len() > 8 {
                return format!("{side} has {} pawns; at most 8 are possible", pawns.len());
            }
            let all = self.of_color(color).len();
            if all > 16 {
                return format!("{side} has {all} pieces; at most 16 are possible");
            }
        }
        let (us, them) = (name(to_move), name(!to_move));
        let of_other_side = self.checkers(!to_move);
        if !of_other_side.is_empty() {
            let from = squares(of_other_side);
            return format!("{us} is to move while {them} is in check from {from}");
        }
        let checkers = self.checkers(to_move);
        format!(
            "{us} is in check from {}; more than two pieces never give check at once",
            squares(checkers)
        )
    }

    /// Why these castling rights do not fit.
    fn castling_fault(&self, rights: &str) -> Result<String, String> {
        let mut seen = Vec::new();
        for letter in rights.chars() {
            let color = color_of(letter);
            let king = self.king(color).ok_or("there is no king")?;
            let file = match letter.to_ascii_lowercase() {
                'k' => File::H,
                'q' => File::A,
                file => file.try_into().map_err(|_| {
                    format!(
                        "`{}` is not one of K, Q, k, q (or A to H, a to h: files of rooks); `-` is none",
                        letter.escape_default()
                    )
                })?,
            };
            let back_rank = Rank::First.relative_to(color);
            let side = name(color);
            if king.rank() != back_rank {
                let rank = back_rank as usize + 1;
                return Ok(format!(
                    "`{letter}` needs {side}'s king on rank {rank}; it is on {king}"
                ));
            }
            let rook = Square::new(file, back_rank);
            if !self.of(color, Piece::Rook).has(rook) {
                let is_chess960 = self
                    .of(color, Piece::Rook)
                    .into_iter()
                    .any(|rook| rook.rank() == back_rank);
                let hint = if matches!(letter, 'K' | 'Q' | 'k' | 'q') && is_chess960 {
                    "; in Chess960 the letter is the file of the rook, as in `HAha`"
                } else {
                    ""
                };
                return Ok(format!("`{letter}` needs a rook of {side} on {rook}{hint}"));
            }
            let is_short = king.file() < file;
            if seen.contains(&(color, is_short)) {
                return Ok(format!("`{letter}` is one right too many on its side of {side}'s king"));
            }
            seen.push((color, is_short));
        }
        Ok("they do not fit the kings and rooks".to_owned())
    }

    /// Why no pawn can have passed this square.
    fn en_passant_fault(&self, text: &str, to_move: Color) -> String {
        let Ok(square) = text.parse::<Square>() else {
            return format!("it is neither `-` nor a square such as `{}3`", File::E);
        };
        let them = !to_move;
        let rank = Rank::Third.relative_to(them);
        if square.rank() != rank {
            let number = rank as usize + 1;
            return format!("with {} to move it is on rank {number}", name(to_move));
        }
        let at = |rank: Rank| Square::new(square.file(), rank.relative_to(them));
        let pawn = at(Rank::Fourth);
        if !self.of(them, Piece::Pawn).has(pawn) {
            return format!("{} has no pawn on {pawn} that has just passed it", name(them));
        }
        for square in [at(Rank::Third), at(Rank::Second)] {
            if self.occupied().has(square) {
                return format!("the pawn on {pawn} cannot have passed {square}, which is not empty");
            }
        }
        format!(
            "the check from {} was there before the pawn moved to {pawn}",
            squares(self.checkers(to_move))
        )
    }
}

/// Why a side cannot have these pieces: each beyond the first of a kind (or the second, of knights, bishops and rooks) was a
/// pawn once.
fn too_many_pieces(board: &Board, color: Color) -> Option<String> {
    let count = |piece| board.colored_pieces(color, piece).len();
    let promoted: u32 = [
        (Piece::Knight, 2),
        (Piece::Bishop, 2),
        (Piece::Rook, 2),
        (Piece::Queen, 1),
    ]
    .into_iter()
    .map(|(piece, first)| count(piece).saturating_sub(first))
    .sum();
    let side = name(color);
    let pawns = count(Piece::Pawn);
    (promoted + pawns > 8)
        .then(|| format!("{side} has {pawns} pawns and {promoted} pieces that must have been pawns: more than 8"))
}

/// White has capital letters.
fn color_of(letter: char) -> Color {
    if letter.is_ascii_uppercase() {
        Color::White
    } else {
        Color::Black
    }
}

fn name(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}

fn count(number: u32, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// `a1`, `a1 and b1`, `a1, b1 and c1`.
fn squares(squares: BitBoard) -> String {
    let names: Vec<String> = squares.into_iter().map(|square| square.to_string()).collect();
    match names.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => "nowhere".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use crate::position::Position;

    fn refusal(fen: &str) -> String {
        match Position::from_fen(fen) {
            Ok(_) => "accepted".to_owned(),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn every_fault_of_a_placement_has_its_own_reason() {
        for (fen, reason) in [
            ("8/8/8/8/8/8/8/8 w - - 0 1", "White has no king"),
            ("8/8/8/8/8/8/8/K7 w - - 0 1", "Black has no king"),
            ("7k/8/8/8/8/8/8/KK6 w - - 0 1", "White has 2 kings, on a1 and b1"),
            ("k6k/8/8/8/k7/8/8/K7 w - - 0 1", "Black has 3 kings, on a4, a8 and h8"),
            ("8/8/8/8/8/8/8/8/K6k w - - 0 1", "it has 9 ranks"),
            ("K6k/8/8/8/8/8/8 w - - 0 1", "it has 7 ranks"),
            ("Kk w - - 0 1", "it has 1 rank, "),
            ("K6k/8/8/8/8/7/8/8 w - - 0 1", "rank 3, `7`, has 7 squares"),
            (
                "K6k/8/8/8/8/PPPPPPPPP/8/8 w - - 0 1",
                "rank 3, `PPPPPPPPP`, has 9 squares",
            ),
            ("K6k/8/8/8/9/8/8/8 w - - 0 1", "rank 4, `9`, has 9 squares"),
            ("K6k/8/8/8/8/8/x7/8 w - - 0 1", "`x` in rank 2 is neither"),
            ("K6k/8/8/8/8/8/8/P7 w - - 0 1", "White has a pawn on a1; pawns stand"),
            (
                "K3p2k/8/8/8/8/8/8/7p w - - 0 1",
                "Black has a pawn on h1 and e8; pawns stand",
            ),
            ("4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1", "White has 9 pawns"),
            ("4k3/8/8/8/QQQQQQQQ/QQQQQQQQ/8/4K3 w - - 0 1", "White has 17 pieces"),
            (
                "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1",
                "White is to move while Black is in check from e2",
            ),
            (
                "4k3/8/8/8/8/3p4/4K3/8 b - - 0 1",
                "Black is to move while White is in check from d3",
            ),
            (
                "4k3/8/8/8/1b6/8/2n5/r3K3 w - - 0 1",
                "White is in check from a1, c2 and b4; more than two",
            ),
        ] {
            let said = refusal(fen);
            assert!(said.contains(reason), "{fen}: {said}");
        }
    }

    #[test]
    fn every_fault_of_the_other_fields_has_its_own_reason() {
        for (fen, reason) in [
            (
                "4k3/8/8/8/8/8/8/4K2R w KQ - 0 1",
                "`KQ`: `Q` needs a rook of White on a1",
            ),
            (
                "r7/4k3/8/8/8/8/8/4K3 w q - 0 1",
                "`q` needs Black's king on rank 8; it is on e7",
            ),
            (
                "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w KQkq - 0 1",
                "`K` needs a rook of White on h1; in Chess960 the letter is the file of the rook, as in `HAha`",
            ),
            (
                "4k3/8/8/8/8/8/8/1R2K1R1 w A - 0 1",
                "castling rights `A`: `A` needs a rook of White on a1",
            ),
            ("4k3/8/8/8/8/8/8/4K2R w X - 0 1", "`X` is not one of"),
            ("4k3/8/8/8/8/8/8/4K2R w KK - 0 1", "`K` is one right too many"),
            ("4k3/8/8/8/8/8/8/4K1RR w HG - 0 1", "`G` is one right too many"),
            ("4k3/8/8/8/8/8/8/4K3 w - e9 0 1", "`e9`: it is neither"),
            (
                "4k3/8/8/8/8/8/8/4K3 w - e3 0 1",
                "`e3`: with White to move it is on rank 6",
            ),
            ("4k3/8/8/8/8/8/8/4K3 w - d6 0 1", "`d6`: Black has no pawn on d5"),
            (
                "4k3/8/3N4/3p4/8/8/8/4K3 b - d6 0 1",
                "`d6`: with Black to move it is on rank 3",
            ),
            (
                "4k3/3n4/8/3p4/8/8/8/4K3 w - d6 0 1",
                "cannot have passed d7, which is not empty",
            ),
            (
                "4k3/8/8/3p4/8/8/3r4/r3K3 w - d6 0 1",
                "the check from a1 was there before the pawn moved to d5",
            ),
        ] {
            let said = refusal(fen);
            assert!(said.contains(reason), "{fen}: {said}");
        }
    }
}
