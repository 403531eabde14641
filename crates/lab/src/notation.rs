//! Lines, scores and rules as text.

use cozy_chess::Move;
use lmrlab_engine::chess_variant::ChessVariant;
use lmrlab_engine::position::Position;
use lmrlab_policy::Policy;
use lmrlab_policy::rule::RuleSet;
use lmrlab_results::seen::Seen;

/// The names of rules with `lead` before them and `between` between them; an empty text for no rules.
pub(crate) fn rule_names(policy: &Policy, rules: RuleSet, lead: &str, between: &str) -> String {
    let names: Vec<&str> = rules
        .iter()
        .filter_map(|index| Some(policy.rules().get(index)?.name.as_str()))
        .collect();
    if names.is_empty() {
        String::new()
    } else {
        format!("{lead}{}", names.join(between))
    }
}

/// A move as UCI writes it.
pub(crate) fn uci(position: &Position, mv: Move) -> String {
    let board = position.board();
    ChessVariant::of(board).uci_move(board, mv)
}

/// A line of moves from a position as UCI writes them, up to the first illegal move.
pub(crate) fn uci_line(start: &Position, line: &[Move]) -> Vec<String> {
    let mut position = start.clone();
    let mut words = Vec::with_capacity(line.len());
    for mv in line {
        if !position.board().is_legal(*mv) {
            break;
        }
        words.push(uci(&position, *mv));
        position = position.after(*mv);
    }
    words
}

/// A number of plies.
pub(crate) fn plies(count: i32) -> String {
    format!("{count} {}", if count == 1 { "ply" } else { "plies" })
}

/// The score in the columns `score_cp` and `mate_in` in words.
pub(crate) fn score(centipawns: Option<i32>, mate_in: Option<i32>) -> String {
    match (mate_in, centipawns) {
        (Some(moves @ 1..), _) => format!("mate in {moves}"),
        (Some(moves), _) => format!("mated in {}", moves.abs()),
        (None, Some(centipawns)) => Seen::Signed(2).number(f64::from(centipawns) / 100.0),
        (None, None) => "unknown".to_owned(),
    }
}
