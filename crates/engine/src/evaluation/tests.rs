//! Properties of the evaluation.

use cozy_chess::util::parse_uci_move;
use proptest::prelude::*;

use cozy_chess::Color;

use super::evaluate::traced;
use super::parts::Groups;
use super::trace::Trace;
use super::*;
use crate::position::Position;
use crate::random_games::{choices, random_game, starts};
use crate::search_parameters::EvaluationMethod;
use crate::weights::terms::*;
use crate::weights::{Tapered, WEIGHTS};

fn position(fen: &str) -> Position {
    Position::from_fen(fen).unwrap()
}

fn full(fen: &str) -> i32 {
    evaluate_alone(&position(fen), EvaluationMethod::Terms).get()
}

/// The same position with the colours exchanged.
fn flipped(position: &Position) -> Position {
    let fen = position.to_string();
    let fields: Vec<&str> = fen.split(' ').collect();
    let swap = |text: &str| -> String {
        text.chars()
            .map(|c| {
                if c.is_ascii_lowercase() {
                    c.to_ascii_uppercase()
                } else {
                    c.to_ascii_lowercase()
                }
            })
            .collect()
    };
    let rows: Vec<String> = fields[0].rsplit('/').map(swap).collect();
    let side = if fields[1] == "w" { "b" } else { "w" };
    let en_passant: String = fields[3]
        .chars()
        .map(|c| match c {
            '3' => '6',
            '6' => '3',
            other => other,
        })
        .collect();
    let castling = swap(fields[2]);
    let fen = format!(
        "{} {side} {castling} {en_passant} {} {}",
        rows.join("/"),
        fields[4],
        fields[5]
    );
    Position::from_fen(&fen).unwrap()
}

/// The mirrored position: the a-file becomes the h-file. It loses its castling rights.
fn mirrored(position: &Position) -> Position {
    let fen = position.to_string();
    let fields: Vec<&str> = fen.split(' ').collect();
    let rows: Vec<String> = fields[0].split('/').map(|row| row.chars().rev().collect()).collect();
    Position::from_fen(&format!("{} {} - - 0 1", rows.join("/"), fields[1])).unwrap()
}

const ALL_GROUPS: [Group; 8] = [
    Group::Material,
    Group::PieceSquare,
    Group::PawnStructure,
    Group::PassedPawns,
    Group::Activity,
    Group::Shelter,
    Group::Danger,
    Group::Tempo,
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn what_is_true_of_every_position(start in starts(), choices in choices()) {
        // One memory for each method, because it caches scores.
        let methods = [EvaluationMethod::Terms, EvaluationMethod::Network, EvaluationMethod::PieceSquare];
        let mut memories = methods.map(|method| (method, EvaluationMemory::new()));
        for position in random_game(start, &choices) {
            for (method, memory) in &mut memories {
                let score = evaluate_alone(&position, *method);
                // Exchanged colours do not change the score.
                let other = flipped(&position);
                prop_assert_eq!(score, evaluate_alone(&other, *method), "{:?}, colours of {}", method, position);
                // A mirrored board does not change the score: castling is not evaluated.
                let other = mirrored(&position);
                prop_assert_eq!(score, evaluate_alone(&other, *method), "{:?}, sides of {}", method, position);
                // The caches do not change the score.
                prop_assert_eq!(score, evaluate(&position, *method, memory, 0), "{:?}, memory, {}", method, position);
            }
            let fresh = Position::from_board(position.board().clone());
            prop_assert_eq!(fresh.piece_square_sum, position.piece_square_sum);
            prop_assert_eq!(fresh.phase, position.phase);
            prop_assert_eq!(fresh.pawn_key(), position.pawn_key());

            // The groups that a trace sees sum to the evaluation.
            let groups = Groups::of(&position);
            let balance = |group| groups.sum(group, Color::White) - groups.sum(group, Color::Black);
            let sum = ALL_GROUPS.into_iter().fold(Tapered::ZERO, |sum, group| sum + balance(group));
            prop_assert_eq!(sum, traced(&position, &mut ()), "{}", position);
        }
    }
}

#[test]
fn the_initial_position_is_worth_the_right_to_move() {
    let initial = Position::initial();
    let score = evaluate_alone(&initial, EvaluationMethod::Terms).get();
    assert_eq!(score, WEIGHTS[TEMPO].middlegame());
    assert_eq!(evaluate_alone(&initial, EvaluationMethod::PieceSquare).get(), 0);
}

/// How often White has a weight, minus how often Black has it.
struct Count {
    weight: usize,
    balance: i32,
}

impl Trace for Count {
    const ACTIVE: bool = true;

    fn add(&mut self, color: Color, weight: usize, count: i32) {
        if weight == self.weight {
            self.balance += if color == Color::White { count } else { -count };
        }
    }
}

fn count(fen: &str, weight: usize) -> i32 {
    let mut count = Count { weight, balance: 0 };
    traced(&position(fen), &mut count);
    count.balance
}

#[test]
fn every_term_sees_its_example() {
    let mut wrong = Vec::new();
    #[rustfmt::skip]
    let examples = [
        ("4k3/8/8/8/4P3/4P3/8/4K3 w", DOUBLED_PAWN, 1), // doubled
        ("4k3/8/8/4pp2/8/8/4P3/4K3 w", ISOLATED_PAWN, 1), // isolated
        ("4k3/8/2pp4/8/8/8/4P3/4K3 w", ISOLATED_PAWN + 1, 1), // isolated, unopposed
        ("4k3/8/8/3p1p2/8/3P4/4P3/4K3 w", BACKWARD_PAWN + 1, 0), // backward, unopposed
        ("4k3/8/8/3pp3/3P4/4P3/2P5/4K3 w", BACKWARD_PAWN, 1), // backward
        ("4k3/8/8/3pp3/3P4/2P5/1P1P4/4K3 w", BACKWARD_PAWN, 0), // left behind, but free to advance
        ("4k3/8/8/8/4P3/3P4/8/4K3 w", DEFENDED_PAWN + 3, 1), // defended on the fourth
        ("4k3/8/8/8/3PP3/8/8/4K3 w", PHALANX_PAWN + 3, 2), // phalanx
        ("4k3/8/8/4P3/8/8/8/4K3 w", PASSED_PAWN + 4, 1), // passed on the fifth
        ("4k3/8/8/8/8/4p3/8/4K3 w", PASSED_PAWN + 5, -1), // passed, Black's
        ("4k3/5p2/8/4P3/8/8/8/4K3 w", PASSED_PAWN + 4, 0), // not passed
        ("4k3/8/8/4P3/3P4/8/8/4K3 w", PASSED_DEFENDED, 1), // passed and defended
        ("8/8/4k3/4P3/8/8/8/4K3 w", PASSED_BLOCKED + 4, 1), // blocked
        ("k7/8/8/4P3/8/8/8/4K3 w", PASSED_FREE_PATH + 4, 1), // free path
        ("3r2k1/8/8/3rP3/8/8/8/4R1K1 w", PASSED_SAFE_ADVANCE + 4, 1), // safe advance
        ("1k2r3/8/8/4PK2/8/8/8/8 w", PASSED_SAFE_ADVANCE + 4, 1), // safe advance by the king's help
        ("1k6/8/8/4P3/8/8/8/4R1K1 w", PASSED_ROOK_BEHIND, 1), // rook behind
        ("k7/8/8/4P3/4K3/8/8/8 w", PASSED_OWN_KING + 2, 2), // own king
        ("k7/8/8/4P3/4K3/8/8/8 w", PASSED_ENEMY_KING + 4, 2), // enemy king
        ("4k3/8/8/8/8/8/8/N3K3 w", KNIGHT_MOBILITY + 2, 1), // mobility
        ("4k3/8/1p6/8/8/8/2P5/N3K3 w", KNIGHT_MOBILITY + 1, 1), // mobility, with pawns about
        ("4k3/8/8/8/8/8/8/R2RK3 w", ROOK_MOBILITY + 10, 2), // rooks see through each other
        ("4k3/8/8/8/8/8/8/2B1KB2 w", BISHOP_PAIR, 1), // pair
        ("4k3/8/8/8/8/4P3/3P1P2/2B1K3 w", BISHOP_PAWNS, 3), // bishop and pawns
        ("4k3/2p5/8/3N4/4P3/8/8/4K3 w", OUTPOST, 0), // outpost
        ("4k3/3p4/8/3N4/4P3/8/8/4K3 w", OUTPOST, 1), // outpost
        ("4k3/3p4/8/3B4/4P3/8/8/4K3 w", OUTPOST + 1, 1), // bishop's outpost
        ("4k3/8/8/8/4P3/4N3/8/4K3 w", MINOR_BEHIND_PAWN, 1), // behind a pawn
        ("4k3/8/8/8/8/8/P1P5/N3K3 w", PIECE_PAWNS, 2), // knight and pawns
        ("4k3/8/8/8/8/8/8/NN2K3 w", PIECE_PAIR, 1), // two knights
        ("4k3/8/8/8/8/8/8/RR2K3 w", PIECE_PAIR + 1, 1), // two rooks
        ("4k3/5p2/8/8/8/8/3PP3/4K3 w", CANDIDATE_PAWN + 1, 1), // candidate
        ("4k3/3p1p2/8/8/8/8/3PP3/4K3 w", CANDIDATE_PAWN + 1, 0), // no candidate
        ("4k3/3p4/8/8/4P3/4N3/8/4K3 w", REACHABLE_OUTPOST, 1), // an outpost in reach
        ("4k3/8/8/8/8/8/8/N3K3 w", MINOR_KING_DISTANCE, 4), // a knight away from its king
        ("4k3/8/8/8/8/8/1B6/4K3 w", BISHOP_LONG_DIAGONAL, 1), // long diagonal
        ("4k3/8/8/8/3P4/8/1B6/4K3 w", BISHOP_LONG_DIAGONAL, 0), // closed diagonal
        ("4k3/6p1/2p5/4p3/8/8/1B6/4K3 w", BISHOP_XRAY_PAWN, 2), // pawns on diagonals
        ("4k3/8/8/8/8/8/6PP/5K1R w", TRAPPED_ROOK, 1), // trapped rook
        ("4k3/8/8/8/8/8/PP6/1R3K2 w", TRAPPED_ROOK, 0), // rook before its king
        ("4k3/3r4/8/3P4/8/8/3Q4/4K3 w", QUEEN_EXPOSED, 1), // queen behind a piece
        ("4k3/8/3q4/8/8/8/3N4/4K3 w", THREAT_ON_QUEEN, 2), // knight to attack the queen
        ("4k3/8/3q4/8/8/8/RR6/4K3 w", THREAT_ON_QUEEN + 1, 1), // rooks to attack the queen
        ("4k3/4p3/8/8/8/8/7P/4K3 w", KING_PAWN_DISTANCE, 2), // king away from the pawns
        ("4k3/4p3/8/8/8/8/8/K7 w", KING_PAWNLESS_FLANK, 1), // no pawn on the king's flank
        ("6k1/8/8/8/8/5Q2/5R2/4K3 w", DANGER_FLANK_ATTACK + 1, 5), // attacked twice on the flank
        ("6k1/8/8/8/8/5Q2/8/4K3 w", DANGER_FLANK_DEFENCE, 5), // own attacks on the flank
        ("6k1/5n2/8/8/8/1Q6/8/4K3 w", DANGER_BLOCKER, 1), // a lone blocker
        ("4k3/3p4/8/8/8/8/8/3RK3 w", ROOK_ON_FILE, 1), // half-open file
        ("4k3/8/8/8/8/8/8/3RK3 w", ROOK_ON_FILE + 1, 1), // open file
        ("4k3/R7/8/8/8/8/8/4K3 w", ROOK_ON_SEVENTH, 1), // seventh
        ("8/R7/4k3/8/8/8/8/4K3 w", ROOK_ON_SEVENTH, 0), // seventh without aim
        ("4k3/8/8/3r4/4P3/8/8/4K3 w", THREAT_BY_PAWN + 2, 1), // pawn hits rook
        ("4k3/8/5q2/3N4/8/8/8/4K3 w", THREAT_BY_MINOR + 4, 1), // knight hits queen
        ("4k3/8/3q4/8/8/8/8/3RK3 w", THREAT_BY_ROOK + 4, 1), // rook hits queen
        ("4k3/8/3p4/8/8/8/8/3RK3 w", THREAT_BY_ROOK, 1), // rook hits a lone pawn
        ("4k3/8/8/8/8/8/3p4/4K3 w", THREAT_BY_KING, 1), // king hits a lone pawn
        ("4k3/8/3n4/8/8/8/8/3RK3 w", HANGING, 1), // hanging
        ("4k3/2p5/3n4/8/8/8/8/3RK3 w", HANGING, 0), // defended by a pawn, not hanging
        ("4k3/8/8/3n4/8/4P3/8/4K3 w", THREAT_BY_PAWN_STEP, 1), // a step makes a threat
        ("4k3/p7/8/8/8/8/P7/4K3 w", KING_ON_FILE, 0), // king on an open file
        ("4k3/4p3/8/8/8/8/P7/2K5 w", KING_ON_FILE, 1), // king on an open file
        ("4k3/8/8/8/6p1/8/6P1/6K1 w", KING_STORM + 7 + 3, 1), // storm
        ("4k3/8/8/8/8/6p1/6P1/6K1 w", KING_BLOCKED_STORM + 2, 1), // blocked storm
        ("6k1/8/8/6N1/8/5Q2/8/4K3 w", DANGER_ATTACKER + 3, 1), // two attackers
        ("6k1/8/8/8/8/5R2/8/4K3 w", DANGER_ATTACKER + 2, 0), // one is none
        ("6k1/5ppp/8/8/8/8/8/Q3K3 w", DANGER_SAFE_CHECK + 6, 1), // safe check
        ("6k1/5ppp/8/4N3/8/8/8/Q3K3 w", DANGER_SAFE_CHECK + 6, 1), // safe check of two attackers
        ("rn4k1/5p1p/8/4N3/8/8/8/Q3K3 w", DANGER_SAFE_CHECK + 6, 0), // no safe check behind walls
        ("4k3/8/8/8/8/8/8/4K3 b", TEMPO, -1), // tempo
    ];
    for (fen, weight, times) in examples {
        let counted = count(&format!("{fen} - - 0 1"), weight);
        if counted != times {
            wrong.push(format!("{fen}: {counted}, not {times}"));
        }
    }
    assert_eq!(wrong, [] as [String; 0]);
}

#[test]
fn a_passed_pawn_grows_as_it_advances() {
    let worth = |fen| passed_pawns(&position(fen), Color::White);
    let ranks = [
        worth("7k/8/8/8/8/8/P6p/7K w - - 0 1"),
        worth("7k/8/8/P7/8/8/7p/7K w - - 0 1"),
        worth("7k/P7/8/8/8/8/7p/7K w - - 0 1"),
    ];
    assert!(ranks[0] < ranks[1] && ranks[1] < ranks[2], "{ranks:?}");
}

#[test]
fn what_cannot_win_is_worth_nothing() {
    for fen in [
        "7k/8/8/8/8/8/8/KB6 w - - 0 1",
        "7k/8/8/8/8/8/8/KN6 b - - 0 1",
        "7k/8/8/8/8/8/8/KNN5 w - - 0 1",
    ] {
        assert_eq!(full(fen), 0, "{fen}");
    }
    // Rook against bishop: a little. A pawn more than two knights can use: a little.
    assert!((1..80).contains(&full("7k/8/8/3b4/8/8/8/KR6 w - - 0 1")));
    assert!((1..120).contains(&full("7k/8/8/8/8/8/p7/KNN5 w - - 0 1")));
}

#[test]
fn bishops_of_opposite_colours_draw() {
    let opposite = full("4k3/5p2/8/3b4/8/8/3PPPPP/2B1K3 w - - 0 1");
    let same = full("4k3/5p2/8/4b3/8/8/3PPPPP/2B1K3 w - - 0 1");
    assert!(opposite * 10 < same * 9, "{opposite} {same}");
    let scale = |fen| endgame::scale_for(&position(fen), Color::White);
    assert_eq!(scale("4k3/5p2/8/3b4/8/8/6PP/2B1K3 w - - 0 1"), 28);
    assert_eq!(scale("4k3/5p2/8/3b4/8/8/6PP/2B1K2R w - - 0 1"), 50);
    assert_eq!(scale("4k3/5p2/8/4b3/8/8/6PP/2B1K3 w - - 0 1"), 64);
}

#[test]
fn a_bare_king_is_driven_home() {
    let bishop_and_knight = |king: &str| full(&format!("{king}/8/3K4/3N4/8/8/4B3/8 w - - 0 1"));
    // The bishop on e2 stands on a light square: h1 and a8 are its corners.
    assert!(bishop_and_knight("k7") > bishop_and_knight("7k") + 100);
    assert!(full("k7/8/1K6/8/8/8/8/7R w - - 0 1") > full("8/8/8/3k4/8/8/8/K6R w - - 0 1") + 100);
    assert!(full("8/8/3k4/8/8/8/8/KB4B1 w - - 0 1").abs() < 1200);
}

#[test]
fn a_move_changes_the_pawn_key_only_where_pawns_change() {
    let mut position = Position::initial();
    let initial = position.pawn_key();
    position.play(parse_uci_move(position.board(), "g1f3").unwrap());
    assert_eq!(position.pawn_key(), initial);
    position.play(parse_uci_move(position.board(), "e7e5").unwrap());
    assert_ne!(position.pawn_key(), initial);
}
