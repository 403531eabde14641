//! Lines, scores and rules as text.

use cozy_chess::util::display_san_move;
use cozy_chess::{Board, Move};
use lmrlab_engine::chess_variant::ChessVariant;
use lmrlab_engine::position::Position;
use lmrlab_engine::score::Score;
use lmrlab_policy::Policy;
use lmrlab_policy::rule::RuleSet;

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

/// A line of moves from a position, in standard algebraic notation.
pub(crate) fn san_line(start: &Position, line: &[Move]) -> Vec<String> {
    line_in(start, line, |board, mv| display_san_move(board, mv).to_string())
}

/// A line of moves from a position, as UCI writes them.
pub(crate) fn uci_line(start: &Position, line: &[Move]) -> Vec<String> {
    line_in(start, line, |board, mv| ChessVariant::of(board).uci_move(board, mv))
}

/// A line up to its first illegal move.
fn line_in(start: &Position, line: &[Move], write: impl Fn(&Board, Move) -> String) -> Vec<String> {
    let mut position = start.clone();
    let mut words = Vec::with_capacity(line.len());
    for mv in line {
        if !position.board().is_legal(*mv) {
            break;
        }
        words.push(write(position.board(), *mv));
        position = position.after(*mv);
    }
    words
}

/// Pawns with a sign, or moves to mate.
pub(crate) fn pawns(score: Score) -> String {
    match score.moves_to_mate() {
        Some(moves) => format!("#{moves}"),
        None => format!("{:+.2}", f64::from(score.get()) / 100.0),
    }
}
