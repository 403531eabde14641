//! Describes the re-searches and the history of a policy as pseudocode in comments.

use std::fmt::Write as _;
use std::mem::discriminant;

use crate::facts::Fact;
use crate::history::{History, HistoryModel, Increment, Index};
use crate::policy::Policy;
use crate::research::{LADDERS, Ladder, Trigger};

/// How a move is searched again. `depth_change` is the name of the function for it.
pub(super) fn research(policy: &Policy, depth_change: &str) -> String {
    let research = policy.research();
    let triggered = match research.trigger {
        Trigger::AboveAlpha => "score > alpha",
        Trigger::AtOrAboveBeta => "score >= beta",
        Trigger::AboveOriginalAlpha => "score > alpha_at_entry",
        Trigger::AboveBestScore => "score > best_score",
    };
    let mut text = String::new();
    let mut line = |line: &str| {
        let _ = writeln!(text, "{line}");
    };
    let same = |ladder: Ladder| discriminant(&ladder) == discriminant(&research.ladder);
    let name = LADDERS.iter().find(|(_, ladder, _)| same(*ladder));
    line(&format!(
        "How a reduced move is searched again: the ladder {}",
        name.map_or("", |(name, ..)| name)
    ));
    line("  full: depth - 1, with the move's extension. Scores are those of the side that moves.");
    line("  null(d): a search to depth d with the window (alpha, alpha + 1); open(d): with (alpha, beta)");
    line("  open(d) expects a PV node after the move; null(d) an all node if this node is a cut node, else a cut node");
    if research.trigger == Trigger::AboveOriginalAlpha {
        line("  alpha_at_entry: the alpha with which the node was entered");
    }
    if research.ladder == Ladder::StepUp {
        line("  the published scheme has the window (alpha, beta) in null(d), too");
    }
    let reduced_first = research.ladder == Ladder::FullReducedFirst;
    if reduced_first {
        line("  in a PV node: score = open(full - reduction); if score < beta: done");
        line("  elsewhere: score = null(full - reduction)");
    } else {
        line("  score = null(full - reduction)");
    }
    // No bonus follows when the last search has the full window.
    let updates_history =
        research.updates_history && !matches!(research.ladder, Ladder::Full | Ladder::FullReducedFirst);
    let condition = format!("  if reduction > 0 and {triggered}:");
    match research.ladder {
        Ladder::None => line("  there is no re-search with a null window"),
        Ladder::Full | Ladder::FullReducedFirst => line(&format!("{condition} score = open(full), done")),
        _ => {}
    }
    if !matches!(research.ladder, Ladder::None | Ladder::Full | Ladder::FullReducedFirst) || updates_history {
        line(&condition);
    }
    match research.ladder {
        Ladder::None | Ladder::Full | Ladder::FullReducedFirst => {}
        Ladder::NullThenFull => line("    score = null(full)"),
        Ladder::StepUp => {
            line("    repeat: reduction = reduction - 1, score = null(full - reduction)");
            line(&format!("    as long as reduction > 0 and {triggered}"));
        }
        Ladder::Intermediate { above, reduction } => {
            line(&format!("    if reduction > {above}: score = null(full - {reduction})"));
            line(&format!("    if {triggered}: score = null(full)"));
        }
        Ladder::ByScore => {
            line(&format!("    change = {depth_change}(facts, score, reduction)"));
            line("    full = full + change");
            line("    if reduction + change > 0: score = null(full)");
        }
    }
    if updates_history {
        let continuation = [
            Fact::ContinuationHistory,
            Fact::ContinuationHistory2,
            Fact::ContinuationHistory4,
        ];
        bonus(
            &mut line,
            &continuation.map(|fact| policy.needs().contains(fact).then_some(fact)),
        );
    }
    line("  if the node has an open window and alpha < score < beta: score = open(full)");
    if let Some(depth) = research.threat_feedback {
        line(&format!(
            "  Below depth {depth}: when the null move of the position after a reduced move fails low, refuted by a move that \
             is connected with the reduced one, that position returns a fail low, so that the move is searched again."
        ));
    }
    text
}

/// What a quiet move gets in the histories after its re-search. The numbers are those of the engine (its search parameters, and
/// history/fact_tables.rs).
fn bonus(line: &mut impl FnMut(&str), continuation: &[Option<Fact>]) {
    line("    if the move is quiet:");
    line("      bonus = min(170 * depth, 1600), where depth is the node's");
    line("      if score <= alpha: bonus = -bonus");
    line("      in each history that orders quiet moves: entry += bonus - entry * |bonus| / 16384");
    line("      (by origin and destination; by the piece and destination of the moves one, two and four plies before)");
    for fact in continuation.iter().flatten() {
        line(&format!(
            "      in {} the same, with min(16 * depth * depth, 2048) for min(170 * depth, 1600)",
            fact.info().name
        ));
    }
    line("      (a beta cutoff by the move updates them, too)");
}

/// The history table that the policy declares.
pub(super) fn history(history: &History) -> String {
    let mut text = "The history table\n".to_owned();
    let mut line = |line: &str| {
        let _ = writeln!(text, "  {line}");
    };
    let cutoff = "at a beta cutoff by a quiet move:";
    match &history.model {
        HistoryModel::Butterfly {
            index,
            bonus,
            malus,
            bound,
        } => {
            line(entry(*index));
            line("start of a search: all entries = 0");
            line(cutoff);
            line(&format!("  entry[the move] += {}", amount(*bonus)));
            if let Some(malus) = malus {
                line(&format!(
                    "  entry[each quiet move searched before it] -= {}",
                    amount(*malus)
                ));
            }
            line(&format!("  if |entry| >= {bound}: halve all entries"));
        }
        HistoryModel::Gravity {
            index,
            scale,
            max,
            bound,
        } => {
            line(entry(*index));
            line("start of a game: all entries = 0");
            line(cutoff);
            gravity(&mut line, "quiet move", *scale, *max, *bound);
        }
        HistoryModel::Rebel { ply_limit, bound } => {
            line(entry(Index::PieceTo));
            line("start of a search: all entries = 0");
            line(&format!(
                "after the search of a move that does not capture, at most {ply_limit} plies from the root:"
            ));
            line("  if score > alpha: entry += depth * depth, else: entry -= depth");
            line(&format!("  if |entry| >= {bound}: entry /= 2"));
        }
        HistoryModel::MadChess { age_percent } => {
            line(entry(Index::PieceTo));
            line("start of a game: all entries = 0");
            line(cutoff);
            line("  entry[the move] += depth * depth");
            line(&format!(
                "after each iteration: the entries of the side to move at the root = {age_percent}% of themselves"
            ));
        }
        HistoryModel::ProDeo { start, bonus, malus } => {
            line(entry(Index::PieceTo));
            line(&format!("start of a search: all entries = {start}"));
            line("after the search of a move that does not capture:");
            line(&format!("  if score > alpha: entry += {bonus}, else: entry -= {malus}"));
        }
        HistoryModel::Fruit { limit } => {
            line(entry(Index::PieceTo));
            line("start of a search: all hits = 1, all tries = 1");
            line(cutoff);
            line("  hits[the move] += 1, tries[the move] += 1");
            line("  tries[each quiet move searched before it] += 1");
            line(&format!("  at {limit} tries: halve both counts of the entry"));
            line("history = 16384 * hits / tries");
        }
        HistoryModel::Relative {
            index,
            increment,
            scale,
        } => {
            line(entry(*index));
            line("start of a search: all hh = 0, all bf = 0");
            line(&format!("for each quiet move searched: bf += {}", amount(*increment)));
            line(cutoff);
            line(&format!("  hh[the move] += {}", amount(*increment)));
            line(&format!("history = {scale} * hh / bf, 0 where bf is 0"));
        }
        HistoryModel::Continuation { scale, max, bound } => {
            line("One entry for each piece and destination of the previous move, and of this one.");
            line("start of a game: all entries = 0");
            line(cutoff);
            gravity(&mut line, "quiet move", *scale, *max, *bound);
        }
        HistoryModel::Capture { scale, max, bound } => {
            line(
                "One entry for each piece, destination and kind of captured piece; 0 for a move that does not capture.",
            );
            line("start of a game: all entries = 0");
            line("at a beta cutoff by a capture:");
            gravity(&mut line, "capture", *scale, *max, *bound);
        }
    }
    if history.orders_moves {
        line("Quiet moves are ordered by it, too.");
    }
    text
}

fn entry(index: Index) -> &'static str {
    match index {
        Index::PieceTo => "One entry for each piece of a colour and each destination square.",
        Index::FromTo => "One entry for each colour, each origin and each destination square.",
    }
}

fn amount(increment: Increment) -> &'static str {
    match increment {
        Increment::One => "1",
        Increment::Depth => "depth",
        Increment::DepthSquared => "depth * depth",
        Increment::TwoToDepth => "2 to the power of min(depth, 20)",
    }
}

fn gravity(line: &mut impl FnMut(&str), moves: &str, scale: i32, max: i32, bound: i32) {
    line(&format!("  b = min({scale} * depth * depth, {max})"));
    line(&format!("  entry[the move] += b - entry * b / {bound}"));
    line(&format!(
        "  entry[each {moves} searched before it] += -b - entry * b / {bound}"
    ));
}
