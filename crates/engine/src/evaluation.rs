//! The static evaluation, as a sum of parts that can be asked for one by one.

use cozy_chess::{
    BitBoard, Color, File, Piece, Rank, Square, get_bishop_moves, get_king_moves, get_knight_moves,
    get_pawn_attacks, get_rook_moves,
};

use crate::position::Position;
use crate::preset::EvaluationTerms;
use crate::score::Score;
use crate::weights::*;

/// The parts of an evaluation, in centipawns, from the side to move's point of view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Parts {
    /// What the pieces are worth, wherever they stand.
    pub material: i32,
    /// What their squares are worth.
    pub piece_square: i32,
    /// Doubled, isolated and defended pawns.
    pub pawn_structure: i32,
    /// Passed pawns.
    pub passed_pawns: i32,
    /// Mobility, the bishop pair, rooks on files, threats by pawns.
    pub activity: i32,
    /// Shelter of and attacks on the kings.
    pub king_safety: i32,
    /// The right to move.
    pub tempo: i32,
}

/// Evaluates a position for the side to move.
pub(crate) fn evaluate(position: &Position, terms: EvaluationTerms) -> Score {
    let mut total = position.placement;
    let mut tempo = 0;
    if terms == EvaluationTerms::Full {
        let sums = Sums::of(position);
        total += sums.pawn_structure + sums.passed_pawns + sums.activity + sums.king_safety;
        tempo = TEMPO;
    }
    let white = blend(total, position.phase) * endgame_scale(position, total) / 64;
    Score::centipawns(relative(white, position.side_to_move()) + tempo)
}

/// The parts of the full evaluation. Their sum differs from the score that the search sees by rounding, and by the scaling of
/// endgames that are hard to win.
pub fn parts(position: &Position) -> Parts {
    let sums = Sums::of(position);
    let material = material(position);
    let value = |part: Tapered| relative(blend(part, position.phase), position.side_to_move());
    Parts {
        material: value(material),
        piece_square: value(position.placement - material),
        pawn_structure: value(sums.pawn_structure),
        passed_pawns: value(sums.passed_pawns),
        activity: value(sums.activity),
        king_safety: value(sums.king_safety),
        tempo: TEMPO,
    }
}

/// One side's own parts of the full evaluation, in centipawns: what the other side has is not taken off. Material, squares
/// and tempo, which are only known as a balance, are left at 0.
pub(crate) fn parts_of(position: &Position, color: Color) -> Parts {
    let attacks = Color::ALL.map(|color| pawn_attacks(position, color));
    let side = Side::of(position, color, &attacks);
    let other = Side::of(position, !color, &attacks);
    let value = |part: Tapered| blend(part, position.phase);
    Parts {
        pawn_structure: value(side.pawn_structure),
        passed_pawns: value(side.passed_pawns),
        activity: value(side.activity),
        king_safety: value(side.shelter - other.king_attack),
        ..Parts::default()
    }
}

/// The material balance for the side to move, in centipawns.
pub(crate) fn material_balance(position: &Position) -> i32 {
    relative(
        blend(material(position), position.phase),
        position.side_to_move(),
    )
}

/// What a piece gains by moving between two squares, in centipawns.
pub(crate) fn piece_square_gain(
    position: &Position,
    piece: Piece,
    from: Square,
    to: Square,
) -> i32 {
    let color = position.side_to_move();
    let gain = blend(
        piece_square(color, piece, to) - piece_square(color, piece, from),
        position.phase,
    );
    relative(gain, color)
}

fn material(position: &Position) -> Tapered {
    let mut sum = Tapered::ZERO;
    for piece in Piece::ALL {
        let count = position.pieces(Color::White, piece).len() as i32
            - position.pieces(Color::Black, piece).len() as i32;
        sum += MATERIAL[piece as usize] * count;
    }
    sum
}

fn relative(white: i32, side: Color) -> i32 {
    match side {
        Color::White => white,
        Color::Black => -white,
    }
}

fn blend(value: Tapered, phase: i32) -> i32 {
    let phase = phase.min(FULL_PHASE);
    (value.middlegame * phase + value.endgame * (FULL_PHASE - phase)) / FULL_PHASE
}

/// Sixty-fourths of the evaluation that remain: a side without pawns needs more than a minor piece to win, and bishops
/// of opposite colours draw.
fn endgame_scale(position: &Position, total: Tapered) -> i32 {
    let stronger = if total.endgame >= 0 {
        Color::White
    } else {
        Color::Black
    };
    let board = position.board();
    let minors = |color| {
        (position.pieces(color, Piece::Knight) | position.pieces(color, Piece::Bishop)).len() as i32
    };
    let majors = |color| {
        position.pieces(color, Piece::Rook).len() as i32
            + 2 * position.pieces(color, Piece::Queen).len() as i32
    };
    if position.pieces(stronger, Piece::Pawn).is_empty() {
        let lead =
            3 * (minors(stronger) - minors(!stronger)) + 5 * (majors(stronger) - majors(!stronger));
        if lead <= 3 && minors(stronger) * 3 + majors(stronger) * 5 < 12 {
            return if majors(stronger) == 0 && minors(stronger) < 2 {
                0
            } else {
                16
            };
        }
    }
    let bishops = board.pieces(Piece::Bishop);
    let one_each = position.pieces(Color::White, Piece::Bishop).len() == 1
        && position.pieces(Color::Black, Piece::Bishop).len() == 1;
    let opposite = one_each
        && !bishops.is_subset(BitBoard::DARK_SQUARES)
        && !bishops.is_subset(BitBoard::LIGHT_SQUARES);
    if opposite
        && board.pieces(Piece::Knight).is_empty()
        && majors(Color::White) + majors(Color::Black) == 0
    {
        32
    } else {
        64
    }
}

/// The terms beyond material and squares, from White's point of view.
struct Sums {
    pawn_structure: Tapered,
    passed_pawns: Tapered,
    activity: Tapered,
    king_safety: Tapered,
}

impl Sums {
    fn of(position: &Position) -> Self {
        let attacks = [
            pawn_attacks(position, Color::White),
            pawn_attacks(position, Color::Black),
        ];
        let [white, black] = Color::ALL.map(|color| Side::of(position, color, &attacks));
        Self {
            pawn_structure: white.pawn_structure - black.pawn_structure,
            passed_pawns: white.passed_pawns - black.passed_pawns,
            activity: white.activity - black.activity,
            king_safety: (white.shelter - black.king_attack) - (black.shelter - white.king_attack),
        }
    }
}

/// One side's terms, from its own point of view.
struct Side {
    pawn_structure: Tapered,
    passed_pawns: Tapered,
    activity: Tapered,
    /// The pawns around the own king.
    shelter: Tapered,
    /// Attacks on the other king.
    king_attack: Tapered,
}

impl Side {
    fn of(position: &Position, us: Color, pawn_attacks: &[BitBoard; 2]) -> Self {
        let (pawn_structure, passed_pawns) = pawns(position, us, pawn_attacks[us as usize]);
        let (mut activity, king_attack) = pieces(position, us, pawn_attacks[!us as usize]);
        let enemies = position.board().colors(!us) & !position.pieces(!us, Piece::Pawn);
        activity += THREAT_BY_PAWN * (pawn_attacks[us as usize] & enemies).len() as i32;
        Self {
            pawn_structure,
            passed_pawns,
            activity,
            shelter: shelter(position, us),
            king_attack,
        }
    }
}

/// The squares that the pawns of a side attack.
pub(crate) fn pawn_attacks(position: &Position, color: Color) -> BitBoard {
    let pawns = position.pieces(color, Piece::Pawn).0;
    let (not_a, not_h) = (!File::A.bitboard().0, !File::H.bitboard().0);
    BitBoard(match color {
        Color::White => ((pawns & not_a) << 7) | ((pawns & not_h) << 9),
        Color::Black => ((pawns & not_h) >> 7) | ((pawns & not_a) >> 9),
    })
}

/// The squares in front of `square`, on its own file.
fn ahead(square: Square, color: Color) -> BitBoard {
    let file = square.file().bitboard();
    let rank = square.rank() as u32;
    BitBoard(match color {
        Color::White => file.0 & (u64::MAX << (8 * rank) << 8),
        Color::Black => file.0 & !(u64::MAX << (8 * rank)),
    })
}

/// The squares that a pawn on `square` passes or that could stop it: ahead of it on its own and the neighbouring files.
pub(crate) fn passed_pawn_span(square: Square, color: Color) -> BitBoard {
    let files = square.file().bitboard() | square.file().adjacent();
    let rank = square.rank() as u32;
    BitBoard(match color {
        Color::White => files.0 & (u64::MAX << (8 * rank) << 8),
        Color::Black => files.0 & !(u64::MAX << (8 * rank)),
    })
}

fn pawns(position: &Position, us: Color, our_attacks: BitBoard) -> (Tapered, Tapered) {
    let own = position.pieces(us, Piece::Pawn);
    let enemy = position.pieces(!us, Piece::Pawn);
    let board = position.board();
    let mut structure = DEFENDED_PAWN * (own & our_attacks).len() as i32;
    let mut passed = Tapered::ZERO;
    for square in own {
        if !(own & ahead(square, us)).is_empty() {
            structure += DOUBLED_PAWN;
        } else if (enemy & passed_pawn_span(square, us)).is_empty() {
            let rank = square.rank().relative_to(us);
            let mut worth = PASSED_PAWN[rank as usize];
            let stop = (ahead(square, us) & (square.rank_step(us))).next_square();
            if let Some(stop) = stop {
                if board.colors(!us).has(stop) {
                    worth = Tapered {
                        middlegame: worth.middlegame * BLOCKED_PASSED_PAWN_PERCENT / 100,
                        endgame: worth.endgame * BLOCKED_PASSED_PAWN_PERCENT / 100,
                    };
                }
                if rank >= Rank::Fourth {
                    let lead = distance(board.king(!us), stop) - distance(board.king(us), stop);
                    worth += PASSED_PAWN_KING_DISTANCE * lead;
                }
            }
            passed += worth;
        }
        if (own & square.file().adjacent()).is_empty() {
            structure += ISOLATED_PAWN;
        }
    }
    (structure, passed)
}

trait RankStep {
    fn rank_step(self, color: Color) -> BitBoard;
}

impl RankStep for Square {
    /// The rank one step ahead of the square; empty beyond the last.
    fn rank_step(self, color: Color) -> BitBoard {
        let index = self.rank() as i32 + if color == Color::White { 1 } else { -1 };
        match usize::try_from(index).ok().and_then(Rank::try_index) {
            Some(rank) => rank.bitboard(),
            None => BitBoard::EMPTY,
        }
    }
}

/// The number of king moves between two squares of an empty board.
pub(crate) fn distance(a: Square, b: Square) -> i32 {
    let files = (a.file() as i32 - b.file() as i32).abs();
    let ranks = (a.rank() as i32 - b.rank() as i32).abs();
    files.max(ranks)
}

/// Mobility and placement of the pieces, and their attacks on the enemy king's surroundings.
fn pieces(position: &Position, us: Color, enemy_pawn_attacks: BitBoard) -> (Tapered, Tapered) {
    let board = position.board();
    let occupied = board.occupied();
    let own = board.colors(us);
    let reachable = !(own | enemy_pawn_attacks);
    let enemy_king = board.king(!us);
    let zone = get_king_moves(enemy_king) | enemy_king.bitboard();
    let own_pawns = position.pieces(us, Piece::Pawn);
    let all_pawns = board.pieces(Piece::Pawn);

    let mut activity = Tapered::ZERO;
    let mut attackers = 0;
    let mut danger = 0;
    let kinds = [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen];
    for (kind, piece) in kinds.into_iter().enumerate() {
        let mobility = &MOBILITY[kind];
        for square in position.pieces(us, piece) {
            let attacks = match piece {
                Piece::Knight => get_knight_moves(square),
                Piece::Bishop => get_bishop_moves(square, occupied),
                Piece::Rook => get_rook_moves(square, occupied),
                _ => get_bishop_moves(square, occupied) | get_rook_moves(square, occupied),
            };
            activity += mobility.each * ((attacks & reachable).len() as i32 - mobility.usual);
            let on_zone = (attacks & zone).len() as i32;
            if on_zone > 0 {
                attackers += 1;
                danger += KING_ATTACK[kind] * on_zone;
            }
            if piece == Piece::Rook {
                let file = square.file().bitboard();
                if (all_pawns & file).is_empty() {
                    activity += ROOK_ON_OPEN_FILE;
                } else if (own_pawns & file).is_empty() {
                    activity += ROOK_ON_SEMI_OPEN_FILE;
                }
            }
        }
    }
    if position.pieces(us, Piece::Bishop).len() >= 2 {
        activity += BISHOP_PAIR;
    }
    // A lone attacker threatens little; each further one makes all of them more dangerous.
    let attack = if attackers >= 2 {
        t(danger * attackers.min(5) / 4, danger / 8)
    } else {
        Tapered::ZERO
    };
    (activity, attack)
}

/// The pawns in front of the king, and the files that lack them.
fn shelter(position: &Position, us: Color) -> Tapered {
    let king = position.board().king(us);
    let own_pawns = position.pieces(us, Piece::Pawn);
    let files = king.file().bitboard() | king.file().adjacent();
    let near = get_king_moves(king) | king.bitboard() | get_pawn_attacks(king, us);
    let span = passed_pawn_span(king, us);
    let two_ranks = BitBoard(match us {
        Color::White => (near.0 << 8) | near.0,
        Color::Black => (near.0 >> 8) | near.0,
    });
    let mut value = KING_SHIELD * (own_pawns & files & span & two_ranks).len() as i32;
    for file in File::ALL {
        if !(file.bitboard() & files).is_empty() && (file.bitboard() & own_pawns).is_empty() {
            value += KING_OPEN_FILE;
        }
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    fn full(fen: &str) -> i32 {
        evaluate(&Position::from_fen(fen).unwrap(), EvaluationTerms::Full).get()
    }

    #[test]
    fn the_initial_position_is_worth_the_right_to_move() {
        let initial = Position::initial();
        assert_eq!(evaluate(&initial, EvaluationTerms::Full).get(), TEMPO);
        assert_eq!(evaluate(&initial, EvaluationTerms::PieceSquare).get(), 0);
    }

    #[test]
    fn colours_are_equal() {
        for (fen, mirrored) in [
            (
                "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2NBPN2/PP3PPP/R1BQ1RK1 w - - 0 9",
                "r1bq1rk1/pp3ppp/2nbpn2/3p4/3P4/2N1PN2/PP2BPPP/R1BQ1RK1 b - - 0 9",
            ),
            (
                "8/5k2/8/3P4/8/2K5/8/8 w - - 0 1",
                "8/8/2k5/8/3p4/8/5K2/8 b - - 0 1",
            ),
            (
                "4k3/8/8/3q4/8/8/1P4PP/3R2K1 w - - 0 1",
                "3r2k1/1p4pp/8/8/3Q4/8/8/4K3 b - - 0 1",
            ),
        ] {
            assert_eq!(full(fen), full(mirrored), "{fen}");
        }
    }

    #[test]
    fn a_passed_pawn_grows_as_it_advances() {
        let worth = |fen| parts(&Position::from_fen(fen).unwrap()).passed_pawns;
        let ranks = [
            worth("7k/8/8/8/8/8/P6p/7K w - - 0 1"),
            worth("7k/8/8/P7/8/8/7p/7K w - - 0 1"),
            worth("7k/P7/8/8/8/8/7p/7K w - - 0 1"),
        ];
        assert!(ranks[0] < ranks[1] && ranks[1] < ranks[2], "{ranks:?}");
    }

    #[test]
    fn spans_and_files() {
        assert_eq!(ahead(Square::E4, Color::White).len(), 4);
        assert_eq!(ahead(Square::E4, Color::Black).len(), 3);
        assert_eq!(ahead(Square::E8, Color::White).len(), 0);
        assert_eq!(passed_pawn_span(Square::A7, Color::White).len(), 2);
        assert_eq!(passed_pawn_span(Square::D2, Color::White).len(), 18);
    }

    #[test]
    fn a_lone_minor_piece_wins_nothing() {
        assert_eq!(full("7k/8/8/8/8/8/8/KB6 w - - 0 1"), TEMPO);
    }

    #[test]
    fn the_parts_make_the_whole() {
        for fen in [
            "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2NBPN2/PP3PPP/R1BQ1RK1 b - - 0 9",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        ] {
            let position = Position::from_fen(fen).unwrap();
            let p = parts(&position);
            let sum = p.material
                + p.piece_square
                + p.pawn_structure
                + p.passed_pawns
                + p.activity
                + p.king_safety
                + p.tempo;
            assert!((sum - full(fen)).abs() <= 6, "{fen}: {p:?}");
        }
    }
}
